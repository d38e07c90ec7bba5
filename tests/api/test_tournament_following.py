"""Matches of tables and their tournament: each follows the other, and neither is left without a way on."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from referee.match.aggregate import Match
from referee.service.tournaments import following
from referee.tournament import commands
from tests.api import house
from tests.api.ended import led
from tests.api.evenings import Evening, opened, quarrel, taken, wait
from tests.api.house import Person, problem


@pytest.fixture
def app() -> Flask:
    return house.app()


def refereed(app: Flask, people: int = 2, *offices: str, **body: Any) -> Evening:
    """A refereed tournament whose first round is paired; its host is the head."""
    made = opened(app, plays="refereed", host_plays=False, **body)
    made.appoint(*offices)
    made.enter(people)
    made.start()
    return made


def table_of(evening: Evening, number: int = 1, round_number: int = -1) -> dict[str, Any]:
    rounds = evening.read_view()["rounds"]
    found: dict[str, Any] = rounds[round_number]["tables"][number - 1]
    return found


def match_of(evening: Evening, number: int = 1) -> Match:
    return evening.service.matches.load_match(table_of(evening, number)["match"]).match


def abandon(evening: Evening, number: int = 1) -> str:
    """Both players of a table abandon its match."""
    table = table_of(evening, number)
    path = f"/v1/matches/{table['match']}"
    one, other = (evening.players[each] for each in table["players"])
    asked = taken(one.post(f"{path}/end", {"reason": "abandoned"}, If_Match="*"))
    taken(other.post(f"{path}/endings/{asked['ending']['ending']}/consents", {"grant": True}))
    return str(table["match"])


def queue_of(evening: Evening, by: Person | None = None) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = taken((by or evening.host).get(f"{evening.path}/queue"), 200)["items"]
    return found


# -- a match without a result ------------------------------------------------------------------------------------------


def test_a_match_that_ended_without_a_result_is_in_the_queue_and_gets_a_rematch(app: Flask) -> None:
    evening = refereed(app)
    old = abandon(evening)
    assert (table_of(evening)["lapsed"], table_of(evening)["final"]) == (True, False)
    (item,) = queue_of(evening)
    assert (item["item"], item["kind"], item["match"]) == ("lapsed:1:1", "lapsed", old)
    evening.give(evening.host, "claim", item="lapsed:1:1")
    assert "tournament.reopen_table" in evening.read_view(evening.host)["can"]
    evening.give(evening.host, "reopen_table", round=1, table=1, because="The battery was empty.")
    table = table_of(evening)
    assert (table["lapsed"], table["former_matches"]) == (False, [old])
    assert table["match"] not in (None, old)
    seat = table["players"].index(0)
    assert evening.players[0].get(f"/v1/matches/{table['match']}/seats/{seat}/moves").status_code == 200
    assert queue_of(evening) == []
    abandon(evening)
    evening.give(evening.host, "rule_result", round=1, table=1, placement=[[0], [1]], because="The position was won.")
    assert table_of(evening)["final"]
    assert evening.read_view()["rounds"][0]["closed"]


def test_who_plays_a_bot_does_not_say_alone_who_has_won(app: Flask) -> None:
    evening = opened(app, plays="refereed", host_plays=False)
    evening.enter(1)
    evening.give(evening.host, "enter", level=0)
    evening.start()
    table = table_of(evening)
    seat = table["players"].index(0)
    body = {"reason": "agreed", "placement": [[seat], [1 - seat]]}
    taken(evening.players[0].post(f"/v1/matches/{table['match']}/end", body, If_Match="*"))
    assert (table_of(evening)["result"], table_of(evening)["lapsed"]) == (None, True)
    assert [each["kind"] for each in queue_of(evening)] == ["lapsed"]


# -- offices -----------------------------------------------------------------------------------------------------------


def officials_of(evening: Evening) -> list[tuple[str, bool, tuple[int, ...]]]:
    return [(each.role, each.left, each.accepted) for each in match_of(evening).officials]


def test_an_office_that_is_lost_is_lost_in_the_open_matches(app: Flask) -> None:
    evening = refereed(app, 2, "floor")
    floor, path = evening.officers["floor"], f"/v1/matches/{table_of(evening)['match']}"
    assert floor.get(path).status_code == 200
    evening.give(evening.host, "resign", officer=evening.officer("floor"))
    assert officials_of(evening) == [("host", False, (0, 1)), ("arbiter", True, (0, 1))]
    problem(floor.get(path), 404, "unknown-match")
    evening.give(evening.host, "resign")
    assert [left for _, left, _ in officials_of(evening)] == [True, True]


def test_officials_who_are_named_or_accepted_late_come_into_the_open_matches(app: Flask) -> None:
    evening = refereed(app)
    evening.appoint("floor")
    floor, number = evening.officers["floor"], evening.officer("floor")
    path = f"/v1/matches/{table_of(evening)['match']}"
    evening.give(evening.players[0], "accept_officer", officer=number)
    problem(floor.get(path), 404, "unknown-match")
    evening.give(evening.players[1], "accept_officer", officer=number)
    assert officials_of(evening)[1:] == [("arbiter", False, (0, 1))]
    assert floor.get(path).status_code == 200
    match, dispute = quarrel(evening)
    wait(evening, 130_000)  # nobody attests
    assert [each["kind"] for each in queue_of(evening, floor)] == ["dispute"]
    assert match_of(evening).disputes[-1].number == dispute
    assert match == table_of(evening)["match"]


def test_an_official_who_deletes_the_account_stops_nobody(app: Flask) -> None:
    evening = refereed(app)
    anyone = evening.anyone
    made = taken(anyone.post("/v1/players", {"name": "Flo"}))
    flo = Person(anyone.client, made["token"])
    code = taken(evening.host.post(f"{evening.path}/invitations", {"role": "floor"}))["code"]
    taken(flo.post("/v1/join", {"code": code}))
    for player in (0, 1):
        evening.give(evening.players[player], "accept_officer", officer=evening.officer("floor"))
    path = f"/v1/matches/{table_of(evening)['match']}"
    assert flo.get(path).status_code == 200
    assert flo.delete(f"/v1/players/{made['id']}").status_code == 204
    assert flo.get(path).status_code in (401, 404)
    evening.service.followed.note(table_of(evening)["match"], None)
    evening.read_view()
    evening.give(evening.host, "resign", officer=evening.officer("floor"))
    assert [left for _, left, _ in officials_of(evening)] == [False, *[True] * (len(officials_of(evening)) - 1)]


class Killed(BaseException):
    """The end of a process in the middle of something."""


@pytest.mark.parametrize("step", range(1, 4))
def test_what_a_killed_process_had_begun_of_that_is_completed(
    app: Flask, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    evening = refereed(app, 2, "floor")
    evening.appoint("floor")
    gone, late = [each.number for each in evening.state.officers if each.office == "floor"]
    count, done = 0, type(evening.service.matches).execute_command

    def dying(*args: Any, **kwargs: Any) -> Any:
        nonlocal count
        count += 1
        if count == step:
            raise Killed
        return done(*args, **kwargs)

    for player in (0, 1):
        evening.service.execute(
            evening.id, commands.AcceptOfficer(player, late), key=f"a{player}", scope="t", actor="host"
        )
    evening.service.execute(evening.id, commands.ResignOffice(gone), key="r", scope="t", actor="host")
    with monkeypatch.context() as patched:
        patched.setattr(type(evening.service.matches), "execute_command", dying)
        with pytest.raises(Killed):
            following.follow_tournament(evening.service, house.SECRET, evening.service.load(evening.id))
    assert officials_of(evening)[1:] == [("arbiter", True, (0, 1)), ("arbiter", False, (0, 1))]
    version = evening.service.matches.load_match(table_of(evening)["match"]).version
    evening.read_view()
    assert evening.service.matches.load_match(table_of(evening)["match"]).version == version


# -- seats -------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("TABLE-TOURNAMENT-1")
def test_nobody_but_the_tournament_gives_seats_and_offices_of_its_matches(app: Flask) -> None:
    evening = refereed(app)
    path = f"/v1/matches/{table_of(evening)['match']}"
    for role in ("seat:0", "seat:any", "arbiter"):
        problem(evening.host.post(f"{path}/invitations", {"role": role}), 409, "tournament-seats")
    assert evening.host.post(f"{path}/invitations", {"role": "spectator"}).status_code == 201
    problem(evening.host.delete(f"{path}/seats/0/player"), 409, "tournament-seats")
    put = evening.players[0].put(f"{path}/seats/1/bot", {"level": 0})
    problem(put, 409, "tournament-seats")


@pytest.mark.clause("TABLE-TOURNAMENT-1")
def test_who_leaves_the_seat_gives_up_that_match_and_stays_in_the_tournament(app: Flask) -> None:
    evening = refereed(app, 4)
    table = table_of(evening)
    path, loser = f"/v1/matches/{table['match']}", table["players"][1]
    left = evening.players[loser].delete(f"{path}/seats/1/player")
    assert (left.status_code, bool(left.headers["Receipt"])) == (204, True)
    assert evening.players[loser].delete(f"{path}/seats/1/player").status_code == 204, "as before"
    table = table_of(evening)
    assert (table["final"], table["result"]["forfeits"], table["result"]["by"]) == (True, [loser], f"player:{loser}")
    assert evening.state.entrants[loser].status == "playing"
    seen = taken(evening.players[loser].get(path), 200)
    assert (seen["status"], seen["outcome"]["winners"]) == ("finished", [0])
    assert seen["outcome"]["placement"] == [[0], [1]]


# -- ends --------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("TABLE-TOURNAMENT-2")
@pytest.mark.clause("TABLE-TOURNAMENT-3")
@pytest.mark.parametrize("how", ["concede", "leave", "ruling", "disqualification"])
def test_a_match_ends_with_what_the_tournament_decides_and_is_rated(app: Flask, how: str) -> None:
    client = app.test_client()
    people = [taken(Person(client).post("/v1/players", {"name": name})) for name in ("Ann", "Bob")]
    evening = opened(app, plays="refereed", host_plays=False, rated=True)
    for each in people:
        taken(Person(client, each["token"]).post("/v1/join", {"code": evening.code}))
        evening.players.append(Person(client, each["token"]))
    evening.start()
    winner, loser = table_of(evening)["players"]
    quarrel(evening)
    if how == "ruling":
        evening.give(
            evening.host, "rule_result", round=1, table=1, placement=[[winner]], forfeits=[loser], because="She left."
        )
    elif how == "disqualification":
        evening.give(
            evening.host, "penalize", player=loser, infraction="cheating", grade="disqualification", because="Marked."
        )
    else:
        evening.give(evening.players[loser], how)
    match = match_of(evening)
    assert (match.status, match.public_status, match.end and match.end.winners) == ("finished", "finished", (0,))
    led(app)
    found = taken(Person(client).get("/v1/standings?game=monster_combat"), 200)
    won = {each["id"]: each["won"] for each in found["items"]}
    assert won == {people[winner]["id"]: 1, people[loser]["id"]: 0}
    assert found["rated"] == 1
    dispute = {"about": 3, "claim": "other", "statement": "Look."}
    body = evening.players[winner].post(f"/v1/matches/{match.id}/disputes", dispute)
    problem(body, 409, "match-over")


@pytest.mark.clause("TABLE-TOURNAMENT-2")
def test_a_match_that_both_forfeit_has_no_winner(app: Flask) -> None:
    evening = refereed(app, rated=True)
    both = table_of(evening)["players"]
    evening.give(evening.host, "rule_result", round=1, table=1, placement=[], forfeits=both, because="Nobody came.")
    match = match_of(evening)
    assert (match.status, match.end and match.end.winners) == ("abandoned", ())
    assert table_of(evening)["final"]
    assert table_of(evening)["match"] == match.id, "nothing is played again"


def test_an_erased_name_is_erased_in_former_matches_too(app: Flask) -> None:
    evening = refereed(app)
    old = abandon(evening)
    evening.give(evening.host, "reopen_table", round=1, table=1, because="x")
    seat = str(table_of(evening)["players"].index(0))

    def read_names() -> list[dict[str, str]]:
        matches = (old, table_of(evening)["match"])
        return [taken(evening.players[1].get(f"/v1/matches/{match}/names"), 200)["names"] for match in matches]

    assert [seat in names for names in read_names()] == [True, True]
    assert evening.players[0].delete(f"{evening.path}/players/0/name").status_code == 204
    assert [seat in names for names in read_names()] == [False, False]


@pytest.mark.clause("TABLE-TOURNAMENT-2")
def test_what_is_taken_back_leaves_the_match_without_a_result(app: Flask) -> None:
    evening = refereed(app, 4, "committee", rated=True)
    table = table_of(evening)
    loser, place = table["players"][1], {"round": 1, "table": 1}
    ruled = evening.give(
        evening.host, "rule_result", **place, placement=[[table["players"][0]]], forfeits=[loser], because="Late."
    )
    assert match_of(evening).status == "finished"
    appeal = evening.give(evening.players[loser], "appeal", about=ruled["entry"], reason="The bus.")
    evening.give(evening.officers["committee"], "vote", appeal=appeal["entry"], overturn=True)
    evening.read_view()
    assert (match_of(evening).status, match_of(evening).end.placement) == ("abandoned", ())  # type: ignore[union-attr]
    assert table_of(evening)["lapsed"]
    evening.give(evening.host, "reopen_table", **place, because="It counts no more.")
    assert match_of(evening).status == "running"


def test_tables_of_older_rounds_that_are_open_again_get_the_result_of_their_match(app: Flask) -> None:
    evening = refereed(app, 4, "committee", system="swiss", rounds=2)
    table = table_of(evening)
    loser, place = table["players"][1], {"round": 1, "table": 1}
    others = table_of(evening, 2)["players"]
    evening.give(evening.players[others[0]], "concede")
    ruled = evening.give(
        evening.host, "rule_result", **place, placement=[[each] for each in table["players"]], because="x"
    )
    evening.give(evening.host, "pair")
    appeal = evening.give(evening.players[loser], "appeal", about=ruled["entry"], reason="The bus.")
    evening.give(evening.officers["committee"], "vote", appeal=appeal["entry"], overturn=True)
    assert [one["closed"] for one in evening.read_view()["rounds"]] == [False, False]
    assert table_of(evening, 1, 0)["lapsed"]
    assert "tournament.concede" in evening.read_view(evening.players[loser])["can"]
    evening.give(evening.host, "reopen_table", **place, because="It counts no more.")
    match = table_of(evening, 1, 0)["match"]
    seat = table["players"].index(loser)
    assert evening.players[loser].delete(f"/v1/matches/{match}/seats/{seat}/player").status_code == 204
    first = evening.read_view()["rounds"][0]
    assert (first["closed"], first["tables"][0]["result"]["forfeits"]) == (True, [loser])


@pytest.mark.clause("TABLE-TOURNAMENT-3")
@pytest.mark.parametrize("rated", [True, False])
def test_a_result_that_the_table_agreed_on_counts_once_it_is_final(app: Flask, rated: bool) -> None:
    evening = refereed(app, rated=rated)
    table = table_of(evening)
    path = f"/v1/matches/{table['match']}"
    one, other = (evening.players[each] for each in table["players"])
    body = {"reason": "agreed", "placement": [[1], [0]]}
    asked = taken(one.post(f"{path}/end", body, If_Match="*"))
    taken(other.post(f"{path}/endings/{asked['ending']['ending']}/consents", {"grant": True}))
    assert table_of(evening)["result"]["placement"] == [[each] for each in table["players"][::-1]]
    evening.read_view()
    assert match_of(evening).end.reason == "end_agreed", "it is not final yet"  # type: ignore[union-attr]
    for player in (0, 1):
        evening.give(evening.players[player], "answer_result", round=1, table=1, agree=True)
    assert match_of(evening).end.reason == ("end_tournament" if rated else "end_agreed")  # type: ignore[union-attr]
    assert match_of(evening).end.winners == (1,)  # type: ignore[union-attr]


@pytest.mark.clause("TABLE-TOURNAMENT-2")
def test_a_ruling_on_a_match_that_was_abandoned_counts_and_can_be_changed(app: Flask) -> None:
    evening = refereed(app, rated=True)
    abandon(evening)
    place, players = {"round": 1, "table": 1, "because": "Seen."}, table_of(evening)["players"]
    for order in (players, players[::-1]):
        evening.give(evening.host, "rule_result", **place, placement=[[each] for each in order])
        match = match_of(evening)
        assert (match.status, match.end and match.end.winners) == ("finished", (players.index(order[0]),))
    version = evening.service.matches.load_match(match.id).version
    evening.service.followed.note(match.id, None)
    evening.read_view()
    assert evening.service.matches.load_match(match.id).version == version, "as it is already"


# -- whether matches count ---------------------------------------------------------------------------------------------


@pytest.mark.clause("TABLE-TOURNAMENT-3")
def test_a_public_tournament_may_be_unrated_and_its_matches_say_so(app: Flask) -> None:
    evening = refereed(app, visibility="public")
    seen = taken(evening.anyone.get(f"/v1/matches/{table_of(evening)['match']}"), 200)
    assert (seen["visibility"], seen["uncounted"][0]["clauses"]) == ("public", ["TABLE-TOURNAMENT-3"])
    form = evening.read_view()["format"]
    assert (form["rated"], form["visibility"]) == (False, "public")
    assert match_of(evening).terms == ("bound", "unrated")
    for rated, shown_to in ((True, "public"), (False, "private")):
        assert opened(app, plays="refereed", rated=rated).read_view()["format"]["visibility"] == shown_to
    body = {"game": "monster_combat", "rated": True, "visibility": "private"}
    (wrong,) = problem(evening.anyone.post("/v1/tournaments", body), 422, "invalid-input")["errors"]
    assert wrong["pointer"] == "/visibility"
    body = {"game": "monster_combat", "rated": True, "plays": "reported"}
    german = problem(evening.anyone.post("/v1/tournaments", body, Accept_Language="de"), 422, "invalid-input")
    (wrong,) = german["errors"]
    assert (wrong["pointer"], "keine gemeldeten Ergebnisse" in wrong["detail"]) == ("/rated", True)

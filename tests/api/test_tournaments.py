"""Tournaments through the API: a whole evening, and what each may know and do."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import pytest
from flask import Flask

from api.openapi.examples import REQUEST_EXAMPLES
from api.resources.tournaments.rendering import hide_from
from referee.audit.bundles.format import decode_bundle
from referee.engine.seats import BYSTANDER, FULL_VIEWER
from referee.rendering.input_errors import translate_input_error
from referee.tournament.events import fold_events
from referee.tournament.state import Tournament
from tests.api import house
from tests.api.evenings import Evening, opened, taken
from tests.api.house import Person, problem


@pytest.fixture
def app() -> Flask:
    return house.app()


@pytest.fixture
def evening(app: Flask) -> Evening:
    """Four players at reported tables, a host who is head official, a floor official and a committee."""
    made = opened(app, host_plays=False, round_ms=600_000)
    made.appoint("floor", "committee")
    made.enter(4)
    made.start()
    return made


def test_a_whole_evening_of_eight(app: Flask) -> None:
    evening = opened(app, system="swiss", rounds=3)
    evening.enter(8)
    seen = evening.read_view(evening.host)
    assert [each["name"] for each in seen["players"]] == [f"Person {number}" for number in range(8)]
    assert seen["can"] == ["tournament.start", "tournament.end", "tournament.enter"]
    assert all(each["can_remove"] for each in seen["players"])
    evening.give(evening.host, "start")
    for number in range(1, 4):
        paired = evening.give(evening.host, "pair")
        assert paired["events"][0]["says"]["en"]
        assert evening.read_view(evening.host)["rounds"][-1]["round"] == number
        evening.play_round()
    assert evening.read_view(evening.host)["can"] == ["tournament.end"]
    ended = evening.give(evening.host, "end")
    seen = evening.read_view()
    assert (seen["status"], seen["can"], seen["version"]) == ("finished", [], ended["version"])
    assert [len(one["tables"]) for one in seen["rounds"]] == [4, 4, 4]
    assert seen["standings"][0]["points"] == "9"
    rows = list(csv.DictReader(io.StringIO(evening.anyone.get(f"{evening.path}/exports/standings.csv").text)))
    assert [int(row["rank"]) for row in rows] == [row["rank"] for row in seen["standings"]]
    assert rows[0]["name"] == f"Person {seen['standings'][0]['player']}"
    results = evening.anyone.get(f"{evening.path}/exports/results.csv").text
    assert len(results.splitlines()) == 1 + 3 * 8
    report = evening.anyone.get(f"{evening.path}/exports/report.trf")
    assert report.mimetype == "text/plain"
    assert report.text.count("\n001 ") == 8
    assert len(evening.anyone.get(f"{evening.path}/exports/pairings.csv").text.splitlines()) == 9
    assert evening.anyone.get(f"{evening.path}/exports/names.csv").status_code == 404
    public = decode_bundle(evening.anyone.get(f"{evening.path}/exports/public.bundle").data.splitlines())
    assert (public.header.game, len(public.entries)) == ("tournament", seen["version"])
    assert not any(line.parts for line in public.entries)
    problem(evening.anyone.get(f"{evening.path}/exports/full.bundle"), 403, "forbidden")
    problem(evening.host.get(f"{evening.path}/exports/full.bundle"), 403, "forbidden")  # this host may play
    problem(
        evening.host.post(f"{evening.path}/commands", {"command": {"type": "tournament.pair"}}), 409, "command-refused"
    )


def test_entries_come_in_pages_with_a_line_about_each_event(evening: Evening) -> None:
    first = taken(evening.anyone.get(f"{evening.path}/entries?limit=3"), 200)
    assert [each["version"] for each in first["items"]] == [1, 2, 3]
    rest = taken(evening.anyone.get(f"{evening.path}/entries?after={first['next_cursor']}"), 200)
    assert rest["next_cursor"] is None
    items = first["items"] + rest["items"]
    assert [each["version"] for each in items] == list(range(1, evening.read_view()["version"] + 1))
    for item in items:
        assert all(event["says"]["en"] and event["says"]["de"] for event in item["events"])
    assert {each["actor"] for each in items[1:]} == {"host"}, "all came by the host's invitation"
    assert items[0]["events"][1]["office"] == "head"


def test_the_etag_stands_for_the_whole_answer(evening: Evening) -> None:
    first = evening.anyone.get(evening.path)
    again = evening.anyone.get(evening.path, If_None_Match=first.headers["ETag"])
    assert again.status_code == 304
    assert evening.host.get(evening.path, If_None_Match=first.headers["ETag"]).status_code == 200
    evening.players[0].delete(f"{evening.path}/players/0/name")
    assert evening.anyone.get(evening.path, If_None_Match=first.headers["ETag"]).status_code == 200


def test_the_examples_of_the_contract_are_played(app: Flask) -> None:
    example = {name: [each["value"] for each in REQUEST_EXAMPLES[name].values()] for name in REQUEST_EXAMPLES}
    (body,) = example["openTournament"]
    evening = opened(app, **{**body, "plays": "reported", "decks": "deposited"})
    taken(evening.anyone.post("/v1/tournaments", body))
    for each in example["makeTournamentInvitation"]:
        taken(evening.host.post(f"{evening.path}/invitations", each))
    evening.enter(1)
    for each in example["depositDeck"]:
        taken(evening.players[0].put(f"{evening.path}/players/0/deck", each), 200)
    entering, pairing = example["commandTournament"]
    taken(evening.host.post(f"{evening.path}/commands", entering))
    problem(evening.host.post(f"{evening.path}/commands", pairing), 409, "command-refused")


# -- repetition --------------------------------------------------------------------------------------------------------


def test_a_repeated_opening_is_answered_alike(app: Flask) -> None:
    anyone, body = Person(app.test_client()), {"game": "monster_combat", "plays": "reported"}
    key = house.fresh()
    first = anyone.post("/v1/tournaments", body, Idempotency_Key=key)
    again = anyone.post("/v1/tournaments", body, Idempotency_Key=key)
    assert first.json == again.json
    assert again.headers["Idempotency-Replayed"] == "true"
    other = anyone.post("/v1/tournaments", {**body, "rounds": 1}, Idempotency_Key=key)
    problem(other, 422, "idempotency-key-reused")
    problem(anyone.post("/v1/tournaments", body, Idempotency_Key="short"), 400, "idempotency-key-guessable")


def test_repeated_commands_and_joins_write_once(app: Flask) -> None:
    evening, key = opened(app), house.fresh()
    body = {"code": evening.code, "name": "Ann"}
    first = taken(evening.anyone.post("/v1/join", body, Idempotency_Key=key))
    again = evening.anyone.post("/v1/join", body, Idempotency_Key=key)
    assert again.json == first
    evening.enter(1)
    key = house.fresh()
    started = evening.give(evening.host, "start", Idempotency_Key=key)
    assert evening.give(evening.host, "start", Idempotency_Key=key) == started
    assert evening.read_view()["version"] == started["version"] == 4
    problem(
        evening.host.post(
            f"{evening.path}/commands", {"command": {"type": "tournament.pair"}}, If_Match='"v2"'
        ), 412, "stale-tournament",
    )  # fmt: skip
    evening.give(evening.host, "pair", If_Match='"v4"')


def test_bots_enter_and_officials_resign_once_by_a_repeated_request(app: Flask) -> None:
    evening = opened(app, host_plays=False)
    evening.appoint("floor")
    keys = [house.fresh(), house.fresh()]
    first = [evening.give(evening.host, "enter", level=1, Idempotency_Key=key) for key in keys]
    assert [evening.give(evening.host, "enter", level=1, Idempotency_Key=key) for key in keys] == first
    assert [each["bot"] for each in evening.read_view()["players"]] == [1, 1]
    key = house.fresh()
    resigned = evening.give(evening.officers["floor"], "resign", Idempotency_Key=key)
    assert evening.give(evening.officers["floor"], "resign", Idempotency_Key=key)["entry"] == resigned["entry"]
    evening.give(evening.officers["floor"], "resign", 409)


def test_a_command_that_changes_nothing_has_no_entry(evening: Evening) -> None:
    floor = evening.officer("floor")
    done = evening.give(evening.players[0], "accept_officer", officer=floor)
    assert (done["entry"], done["events"]) == (None, [])


# -- rights ------------------------------------------------------------------------------------------------------------

COMMANDS: dict[str, tuple[str, dict[str, Any]]] = {  # who may give it, and its members
    "start": ("director", {}),
    "pair": ("director", {}),
    "end": ("director", {}),
    "enter": ("director", {"level": 0}),
    "report": ("player", {"round": 1, "table": 1, "placement": [[0], [1]]}),
    "answer_result": ("player", {"round": 1, "table": 1, "agree": True}),
    "concede": ("player", {}),
    "call": ("player", {"reason": "rules"}),
    "appeal": ("player", {"about": 1, "reason": "no"}),
    "accept_officer": ("player", {"officer": 1}),
    "leave": ("player", {}),
    "rule_result": ("ruling", {"round": 1, "table": 1, "placement": [[0], [1]], "because": "so"}),
    "add_time": ("ruling", {"round": 1, "table": 1, "extra_ms": 1000}),
    "penalize": ("ruling", {"player": 0, "infraction": "late", "grade": "caution"}),
    "expunge": ("ruling", {"penalty": 1, "because": "so"}),
    "check_deck": ("ruling", {"player": 0, "cards": {}}),
    "claim": ("officer", {"item": "call:1"}),
    "vote": ("officer", {"appeal": 1, "overturn": True}),
    "resign": ("officer", {}),
}
ROLES = {
    "director": ("host",),
    "player": ("player",),
    "ruling": ("host", "floor"),
    "officer": ("host", "floor", "committee"),
}


@pytest.mark.parametrize("kind", COMMANDS)
def test_each_command_is_for_those_whom_it_is_for(evening: Evening, kind: str) -> None:
    """The others get 403; those whom it is for are let in, whatever the rules then say."""
    place, members = COMMANDS[kind]
    people = {"host": evening.host, "player": evening.players[0], **evening.officers}
    stranger = opened(evening.app).host
    body = {"command": {"type": f"tournament.{kind}", **members}}
    problem(evening.anyone.post(f"{evening.path}/commands", body), 401, "unauthorized")
    problem(stranger.post(f"{evening.path}/commands", body), 401, "unauthorized")
    version = evening.read_view()["version"]
    for who, person in people.items():
        if who not in ROLES[place]:
            problem(person.post(f"{evening.path}/commands", body), 403, "forbidden")
    assert evening.read_view()["version"] == version
    for who in ROLES[place]:
        assert people[who].post(f"{evening.path}/commands", body).status_code in (201, 409), who


def test_nobody_speaks_for_another(evening: Evening) -> None:
    floor, head = evening.officer("floor"), 1
    for by, kind, members in (
        (evening.players[0], "concede", {"player": 1}),
        (evening.players[0], "leave", {"player": 1}),
        (evening.players[0], "report", {"round": 1, "table": 1, "placement": [[0], [1]], "by": 1}),
        (evening.officers["floor"], "add_time", {"round": 1, "table": 1, "extra_ms": 1000, "officer": head}),
        (evening.officers["floor"], "resign", {"officer": head}),
        (evening.host, "leave", {"player": 1}),
        (evening.players[0], "resign", {"officer": floor}),
    ):
        body = {"command": {"type": f"tournament.{kind}", **members}}
        problem(by.post(f"{evening.path}/commands", body), 403, "forbidden")
    for member in ("person", "now_ms"):
        body = {"command": {"type": "tournament.enter", "level": 0, member: "x"}}
        problem(evening.host.post(f"{evening.path}/commands", body), 422, "invalid-input")
    for who, ends, own in (
        (evening.host, {head, floor}, True),
        (evening.officers["floor"], {floor}, True),
        (evening.players[0], set(), False),
    ):
        view = evening.read_view(who)
        assert {each["officer"] for each in view["officials"] if each["can_end"]} & {head, floor} == ends
        assert ("tournament.resign" in view["can"]) is own
    evening.give(evening.host, "resign", officer=floor)
    assert evening.read_view()["officials"][1]["left"]
    assert not evening.read_view(evening.host)["officials"][1]["can_end"]
    assert evening.read_view()["officials"][1]["name"] is None


def test_only_the_server_seats_appoints_and_tells_the_time(evening: Evening) -> None:
    for kind in ("seat_table", "appoint", "time_is_up", "open", "deposit_deck"):
        body = {"command": {"type": f"tournament.{kind}"}}
        problem(evening.host.post(f"{evening.path}/commands", body), 422, "invalid-input")


def test_officials_get_the_whole_bundle_once_the_tournament_is_over(app: Flask) -> None:
    evening = opened(app, host_plays=False, system="swiss", rounds=1)
    evening.enter(2)
    problem(evening.host.get(f"{evening.path}/exports/full.bundle"), 409, "command-refused")
    evening.give(evening.host, "start")
    evening.give(evening.host, "pair")
    evening.play_round()
    evening.give(evening.host, "end")
    full = decode_bundle(evening.host.get(f"{evening.path}/exports/full.bundle").data.splitlines())
    assert all(line.parts for line in full.entries)


def test_who_may_see_the_queue_and_invite(evening: Evening) -> None:
    people = {"host": evening.host, "player": evening.players[0], **evening.officers}
    for who, person in people.items():
        assert person.get(f"{evening.path}/queue").status_code == (403 if who == "player" else 200)
        invited = person.post(f"{evening.path}/invitations", {"role": "floor"})
        assert invited.status_code == (201 if who == "host" else 403)
        asked = person.get(f"{evening.path}/players/0/penalty-proposals")
        assert asked.status_code == (403 if who == "player" else 200)
    playing = opened(evening.app)
    problem(playing.host.get(f"{playing.path}/queue"), 403, "forbidden")
    evening.give(evening.host, "resign")
    problem(evening.host.get(f"{evening.path}/queue"), 403, "forbidden")


def test_what_can_be_given_is_what_is_listed(evening: Evening) -> None:
    seen = evening.read_view(evening.players[0])
    assert seen["you"] == {"host": False, "player": 0, "officer": None}
    assert set(seen["can"]) == {f"tournament.{kind}" for kind in ("report", "concede", "call", "leave")}
    assert evening.read_view()["can"] == []
    host = evening.read_view(evening.host)
    assert host["you"] == {"host": True, "player": None, "officer": 1}
    assert {"tournament.penalize", "tournament.rule_result", "tournament.add_time"} <= set(host["can"])
    assert "tournament.pair" not in host["can"]


# -- officials at work -------------------------------------------------------------------------------------------------


def test_calls_results_and_appeals_wait_in_the_queue(evening: Evening) -> None:
    floor, (table, other) = evening.officers["floor"], evening.state.rounds[0].tables
    first, second = (evening.players[each] for each in table.players)
    evening.give(first, "call", reason="slow_play")
    place = {"round": 1, "table": other.number}
    third, fourth = (evening.players[each] for each in other.players)
    evening.give(third, "report", **place, placement=[[each] for each in other.players])
    evening.give(fourth, "answer_result", **place, agree=False)
    queue = taken(floor.get(f"{evening.path}/queue"), 200)["items"]
    assert {(each["kind"], each["table"]) for each in queue} == {("call", table.number), ("result", other.number)}
    assert all(each["says"]["de"] and each["claimed_by"] is None and each["court"] == "floor" for each in queue)
    item = next(each["item"] for each in queue if each["kind"] == "call")
    evening.give(floor, "claim", item=item)
    claimed = {each["item"]: each["claimed_by"] for each in taken(floor.get(f"{evening.path}/queue"), 200)["items"]}
    assert claimed[item] == evening.officer("floor")
    taken_already = evening.give(evening.host, "claim", 409, item=item)
    assert taken_already["ruling"]["clauses"][0]["id"] == "TOURNAMENT-QUEUE-1"
    problem(
        second.post(f"{evening.path}/commands", {"command": {"type": "tournament.end_call", "call": int(item[5:])}}),
        403,
        "forbidden",
    )
    evening.give(floor, "end_call", call=int(item[5:]))
    ruled = evening.give(
        floor, "rule_result", **place, placement=[[each] for each in reversed(other.players)], because="I saw it"
    )
    appealed = evening.give(third, "appeal", about=ruled["entry"], reason="No")
    (waits,) = taken(evening.officers["committee"].get(f"{evening.path}/queue"), 200)["items"]
    assert (waits["item"], waits["court"]) == (f"appeal:{appealed['entry']}", "committee")
    evening.give(evening.officers["committee"], "vote", appeal=appealed["entry"], overturn=True)
    seen = evening.read_view()
    assert seen["appeals"][0]["stage"] == "overturned"
    assert seen["appeals"][0]["reason"] is None
    assert evening.read_view(third)["appeals"][0]["reason"] == "No"
    assert seen["rounds"][0]["tables"][other.number - 1]["disputed"], "what was there before counts again"


def test_the_ledger_proposes_and_a_refusal_names_its_clause(evening: Evening) -> None:
    path = f"{evening.path}/players/0/penalty-proposals"

    def find_late() -> dict[str, object]:
        (found,) = (each for each in taken(evening.host.get(path), 200)["items"] if each["infraction"] == "late")
        return found  # type: ignore[no-any-return]

    proposed = find_late()
    assert proposed["before"] == []
    given = evening.give(evening.host, "penalize", player=0, infraction="late", grade=proposed["proposed"])
    again = find_late()
    assert again["before"] == [given["entry"]]
    refused = evening.host.post(
        f"{evening.path}/commands",
        {"command": {"type": "tournament.penalize", "player": 0, "infraction": "late", "grade": "disqualification"}},
        Accept_Language="de",
    )
    found = problem(refused, 409, "command-refused")
    assert found["ruling"]["clauses"][0]["id"] == "TOURNAMENT-PENALTY-2"
    assert found["detail"] == found["ruling"]["reason"]["de"]
    beyond = evening.host.get(f"{evening.path}/players/9/penalty-proposals")
    problem(beyond, 404, "not-found")


def test_what_a_viewer_sees_is_what_the_entries_tell(evening: Evening) -> None:
    """For everybody: the tournament with what is hidden from them, and the fold of the entries that they see."""
    evening.give(
        evening.host, "penalize", player=0, infraction="late", grade="warning", because="often", fix="sat down"
    )
    lost = evening.give(evening.host, "penalize", player=1, infraction="conduct", grade="game_loss", because="loud")
    evening.give(evening.players[1], "appeal", about=lost["entry"], reason="I was not")
    evening.give(evening.officers["committee"], "vote", appeal=evening.read_view()["version"], overturn=False)
    loaded = evening.service.load(evening.id)
    entries = evening.service.repository.load_entries(evening.id)
    for viewer in (int(BYSTANDER), int(FULL_VIEWER), 0, 1, 2):
        folded = Tournament()
        for entry in entries:
            folded = fold_events(folded, entry.view_for(viewer)[1])
        assert hide_from(loaded.state, viewer) == folded, viewer
    assert [each["grade"] for each in evening.read_view()["penalties"]] == ["game_loss"]
    assert [each["infraction"] for each in evening.read_view()["penalties"]] == [None]
    assert [each["grade"] for each in evening.read_view(evening.players[0])["penalties"]] == ["warning", "game_loss"]
    assert len(evening.read_view(evening.officers["floor"])["penalties"]) == 2


# -- people ------------------------------------------------------------------------------------------------------------


def test_a_name_can_be_erased(evening: Evening) -> None:
    problem(evening.players[1].delete(f"{evening.path}/players/0/name"), 403, "forbidden")
    assert evening.players[0].delete(f"{evening.path}/players/0/name").status_code == 204
    assert evening.host.delete(f"{evening.path}/players/1/name").status_code == 204
    assert [each["name"] for each in evening.read_view()["players"]] == [None, None, "Person 2", "Person 3"]
    assert "Person 0" not in evening.anyone.get(f"{evening.path}/exports/pairings.csv").text
    assert not [each for each in evening.service.log.read_entries(evening.id) if b"Person" in each.envelope]


def test_a_formula_as_a_name_is_guarded(app: Flask) -> None:
    evening = opened(app)
    evening.enter(2, name='=HYPERLINK("x")')
    evening.start()
    assert "'=HYPERLINK" in evening.anyone.get(f"{evening.path}/exports/standings.csv").text


def test_nobody_plays_and_rules(evening: Evening) -> None:
    code = taken(evening.host.post(f"{evening.path}/invitations", {"role": "floor"}))["code"]
    refused = evening.players[0].post("/v1/join", {"code": code})
    assert problem(refused, 409, "command-refused")["ruling"]["clauses"][0]["id"] == "TOURNAMENT-OFFICE-3"
    taken(evening.anyone.post("/v1/join", {"code": code}))  # the refused call has not used it up
    problem(evening.anyone.post("/v1/join", {"code": code}), 410, "code-expired")
    late = evening.anyone.post("/v1/join", {"code": evening.code})
    assert problem(late, 409, "command-refused")["ruling"]["clauses"][0]["id"] == "TOURNAMENT-ENTRY-1"


def test_an_account_is_one_person_with_all_its_tokens(app: Flask) -> None:
    anyone = Person(app.test_client())
    made = taken(anyone.post("/v1/players", {"name": "Ann"}))
    ann = Person(anyone.client, made["token"])
    evening = opened(app)
    joined = taken(ann.post("/v1/join", {"code": evening.code}))
    assert evening.read_view(ann)["you"]["player"] == 0
    assert evening.read_view(Person(anyone.client, joined["token"]))["you"]["player"] == 0
    assert evening.read_view()["players"][0]["name"] == "Ann"
    problem(ann.post("/v1/join", {"code": evening.code}), 409, "command-refused")
    assert taken(ann.get(f"/v1/players/{made['id']}/matches/open"), 200)["items"] == []
    assert taken(ann.get(f"/v1/players/{made['id']}/matches"), 200)["items"] == []
    assert ann.delete(f"/v1/players/{made['id']}").status_code == 204
    assert evening.read_view()["players"][0]["name"] is None
    assert evening.read_view(Person(anyone.client, joined["token"]))["you"]["player"] == 0


def test_tournaments_are_no_matches_and_matches_no_tournaments(app: Flask) -> None:
    evening, table = opened(app), house.opened(app, visibility="public")
    for path in ("", "/entries", "/view", "/stream", "/bundle", "/names"):
        problem(evening.host.get(f"/v1/matches/{evening.id}{path}"), 404, "not-found")
    for path in ("", "/entries", "/stream", "/queue"):
        problem(table.host.get(f"/v1/tournaments/{table.match}{path}"), 404, "not-found")
    unknown = "/v1/tournaments/07-T" + "a" * 26
    for path in ("", "/entries", "/stream", "/exports/results.csv"):
        problem(evening.anyone.get(unknown + path), 404, "unknown-tournament")
    problem(evening.host.get(f"{unknown}/queue"), 404, "unknown-tournament")


def test_formats_that_do_not_fit_are_refused_where_they_are_wrong(app: Flask) -> None:
    anyone = Person(app.test_client())
    for body, pointer in (
        ({"game": "chess"}, "/game"),
        ({"seats": {"least": 2, "most": 3}}, "/seats/most"),
        ({"edition": "none"}, "/edition"),
        ({"tiebreaks": ["wins", "wins"]}, "/tiebreaks"),
        ({"round_ms": 5}, "/round_ms"),
        ({"host": "me"}, "/host"),
    ):
        answer = anyone.post("/v1/tournaments", {"game": "monster_combat", **body}, Accept_Language="de")
        (wrong,) = problem(answer, 422, "invalid-input")["errors"]
        assert wrong["pointer"] == pointer, answer.text
        assert translate_input_error(wrong["detail"], "de") == wrong["detail"]
        assert not re.search(r"\b(the|of|must|no|is)\b", wrong["detail"], re.IGNORECASE), wrong
    closed = house.app(OPEN_CREATION=False)
    problem(Person(closed.test_client()).post("/v1/tournaments", {"game": "monster_combat"}), 403, "creation-closed")

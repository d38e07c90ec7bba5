"""Refereed tournaments: the server opens the tables, and one token is good for all of them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask

from referee.eventstore.contract import StoreFull
from referee.eventstore.memory.log import MemoryLog
from referee.service.match_service import MatchService
from referee.service.tournament_service import TournamentService
from referee.service.tournaments import tables
from tests.api import house
from tests.api.evenings import Evening, opened, quarrel, taken, wait
from tests.api.house import Person, problem
from workers.bots.player import play_bots


@pytest.fixture
def app() -> Flask:
    return house.app()


def desk(evening: Evening) -> MatchService:
    return evening.service.matches


def matches_of(evening: Evening) -> list[str]:
    return [each["match"] for each in evening.read_view()["rounds"][-1]["tables"]]


def test_bots_play_a_refereed_tournament_to_its_end(app: Flask) -> None:
    evening = opened(app, plays="refereed", host_plays=False)
    for level in (0, 0, 0):
        evening.give(evening.host, "enter", level=level)
    evening.give(evening.host, "start")
    for number in range(1, 4):
        paired = evening.give(evening.host, "pair")
        seen = evening.read_view()
        (table,) = seen["rounds"][-1]["tables"]
        assert seen["version"] > paired["version"]
        assert table["match"]
        for _ in range(20):
            if not play_bots(desk(evening), table["match"], moves=3000, seconds=30):
                break
        (table,) = evening.read_view()["rounds"][-1]["tables"]
        assert (table["final"], table["result"]["by"]) == (True, "match")
        assert len(seen["rounds"]) == number
        assert len(seen["rounds"][-1]["byes"]) == 1
    evening.give(evening.host, "end")
    standings = evening.read_view()["standings"]
    assert [row["played"] + row["byes"] for row in standings] == [3, 3, 3]


def test_one_token_is_good_for_the_tournament_and_its_matches(app: Flask) -> None:
    evening = opened(app, plays="refereed", host_plays=False)
    evening.appoint("floor", "committee")
    evening.enter(2)
    evening.start()
    (match,) = matches_of(evening)
    path = f"/v1/matches/{match}"
    problem(evening.anyone.get(path), 404, "unknown-match")
    seen = taken(evening.players[0].get(path), 200)
    assert (seen["tournament"], seen["status"]) == (evening.id, "running")
    assert [(each["role"], each["decides"]) for each in seen["officials"]] == [("host", True), ("arbiter", True)]
    seats = evening.state.rounds[0].tables[0].players
    for seat, player in enumerate(seats):
        assert evening.players[player].get(f"{path}/seats/{seat}/moves").status_code == 200
        problem(evening.players[player].get(f"{path}/seats/{1 - seat}/moves"), 403, "not-your-seat")
    for official in (evening.host, evening.officers["floor"]):
        assert official.get(path).status_code == 200
        problem(official.get(f"{path}/seats/0/moves"), 403, "not-your-seat")
    problem(evening.officers["committee"].get(path), 404, "unknown-match")
    names = taken(evening.host.get(f"{path}/names"), 200)["names"]
    assert names == {str(seat): f"Person {player}" for seat, player in enumerate(seats)}
    evening.players[seats[0]].delete(f"{evening.path}/players/{seats[0]}/name")
    assert list(taken(evening.host.get(f"{path}/names"), 200)["names"]) == ["1"]


def test_a_dispute_that_waits_for_an_official_is_in_the_queue(app: Flask) -> None:
    evening = opened(app, plays="refereed", host_plays=False)
    evening.enter(2)
    evening.start()
    match, number = quarrel(evening)
    assert taken(evening.host.get(f"{evening.path}/queue"), 200)["items"] == [], "the table has it"
    wait(evening, 130_000)  # nobody attests
    queue = taken(evening.host.get(f"{evening.path}/queue"), 200)["items"]
    assert [(each["item"], each["match"]) for each in queue] == [(f"dispute:{match}:{number}", match)]
    wait(evening, 600_000)
    queue = taken(evening.host.get(f"{evening.path}/queue"), 200)["items"]
    assert {each["kind"] for each in queue} == {"dispute", "silent"}
    assert queue[0]["age_ms"] >= queue[-1]["age_ms"] >= 600_000


def test_officials_whom_somebody_has_not_accepted_do_not_rule_at_that_table(app: Flask) -> None:
    evening = opened(app, plays="refereed", host_plays=False)
    evening.enter(2)
    evening.appoint("floor")
    evening.give(evening.players[0], "accept_officer", officer=evening.officer("floor"))
    evening.start()
    (match,) = matches_of(evening)
    assert len(desk(evening).load_match(match).match.officials) == 1
    problem(evening.officers["floor"].get(f"/v1/matches/{match}"), 404, "unknown-match")


def test_a_host_who_plays_has_no_more_rights_at_a_table_than_others(app: Flask) -> None:
    evening = opened(app, plays="refereed")
    evening.enter(1)
    taken(evening.host.post("/v1/join", {"code": evening.code}))
    evening.start()
    (match,) = matches_of(evening)
    grants = [each["role"] for each in map(loads, desk(evening).log.read_grants(match).values())]
    assert grants == ["seat", "seat"]
    assert desk(evening).load_match(match).match.officials == ()
    seat = evening.state.rounds[0].tables[0].players.index(1)
    assert evening.host.get(f"/v1/matches/{match}/seats/{seat}/moves").status_code == 200


def test_an_account_plays_with_its_own_token(app: Flask) -> None:
    client = app.test_client()
    people = [taken(Person(client).post("/v1/players", {"name": name})) for name in ("Ann", "Bob")]
    evening = opened(app, plays="refereed", rated=True)
    for each in people:
        taken(Person(client, each["token"]).post("/v1/join", {"code": evening.code}))
    evening.start()
    (match,) = matches_of(evening)
    seats = evening.state.rounds[0].tables[0].players
    for seat, player in enumerate(seats):
        ann = Person(client, people[player]["token"])
        assert ann.get(f"/v1/matches/{match}/seats/{seat}/moves").status_code == 200
        (item,) = taken(ann.get(f"/v1/players/{people[player]['id']}/matches/open"), 200)["items"]
        assert (item["match"], item["seats"]) == (match, [seat])
    found = desk(evening).load_match(match).match
    assert (found.visibility, found.tournament) == ("public", evening.id)
    links = desk(evening).log.read_links([match])[match]
    assert sorted(links.values()) == sorted(each["id"] for each in people)


def test_a_host_with_an_account_is_the_head_with_all_tokens(app: Flask) -> None:
    anyone = Person(app.test_client())
    ann = Person(anyone.client, taken(anyone.post("/v1/players", {"name": "Ann"}))["token"])
    made = taken(ann.post("/v1/tournaments", {"game": "monster_combat", "host_plays": False}))
    evening = Evening(app, made["tournament"], ann, made["invitations"][0]["code"])
    evening.enter(2)
    evening.start()
    (match,) = matches_of(evening)
    for host in (ann, Person(anyone.client, made["token"])):
        assert evening.read_view(host)["you"] == {"host": True, "player": None, "officer": 1}
        assert taken(host.get(f"/v1/matches/{match}"), 200)["officials"][0]["decides"]
        assert host.post(f"/v1/matches/{match}/invitations", {"role": "spectator"}).status_code == 201
    problem(ann.post("/v1/join", {"code": evening.code}), 409, "command-refused")


def test_who_reads_is_answered_although_the_store_is_full(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    evening = opened(app, plays="refereed")
    evening.enter(2)
    evening.give(evening.host, "start")
    evening.service.execute(evening.id, tables.commands.PairRound(), key="p", scope="host", actor="host")

    def full(*_args: Any, **_kwargs: Any) -> None:
        raise StoreFull("no room")

    with monkeypatch.context() as filled:
        filled.setattr(MemoryLog, "put_grant", full)
        assert matches_of(evening) == [None]
    assert matches_of(evening)[0]


class Killed(BaseException):
    """The end of a process in the middle of something."""


STEPS = ("open_match", "execute_command", "put_grant", "execute")


@pytest.mark.parametrize("step", range(1, 21))
def test_what_a_killed_process_had_begun_is_completed_by_the_next_look(
    app: Flask, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    """Killed before the n-th step of opening two tables: the next look finds both as they should be."""
    evening = opened(app, plays="refereed", host_plays=False)
    evening.appoint("floor")
    evening.enter(4)
    evening.give(evening.host, "start")
    count = 0

    def counted(kind: Any, name: str) -> None:
        done = getattr(kind, name)

        def dying(*args: Any, **kwargs: Any) -> Any:
            nonlocal count
            count += 1
            if count == step:
                raise Killed
            return done(*args, **kwargs)

        monkeypatch.setattr(kind, name, dying)

    evening.service.execute(evening.id, tables.commands.PairRound(), key="p", scope="host", actor="host")
    with monkeypatch.context():
        counted(MatchService, "open_match")
        counted(MatchService, "execute_command")
        counted(MemoryLog, "put_grant")
        counted(TournamentService, "execute")
        with pytest.raises(Killed):
            tables.open_waiting_tables(evening.service, house.SECRET, evening.service.load(evening.id))
    monkeypatch.undo()
    found = matches_of(evening)
    assert len(set(found)) == 2
    for match, table in zip(found, evening.state.rounds[0].tables, strict=True):
        opened_as = desk(evening).load_match(match).match
        assert (opened_as.status, len(opened_as.officials)) == ("running", 2)
        assert all(each.accepted == (0, 1) for each in opened_as.officials)
        for seat, player in enumerate(table.players):
            assert evening.players[player].get(f"/v1/matches/{match}/seats/{seat}/moves").status_code == 200
        assert len(desk(evening).log.read_grants(match)) == 4
    versions = {match: desk(evening).load_match(match).version for match in found}
    evening.read_view()
    assert versions == {match: desk(evening).load_match(match).version for match in found}


# -- decks -------------------------------------------------------------------------------------------------------------

CARDS = {"sword": 2, "shield": 1}


def test_a_deposited_deck_is_sealed_and_compared(app: Flask) -> None:
    evening = opened(app, host_plays=False, decks="deposited")
    evening.enter(2)
    evening.give(evening.host, "start", 409)
    ann, bob = evening.players
    path = f"{evening.path}/players/0/deck"
    problem(bob.put(path, {"cards": CARDS}), 403, "forbidden")
    wrong = problem(ann.put(path, {"cards": {"nothing": 1, "sword": 0}}), 422, "invalid-input")["errors"]
    assert [each["pointer"] for each in wrong] == ["/cards/nothing", "/cards/sword"]
    first = taken(ann.put(path, {"cards": CARDS}), 200)
    assert first["cards"] == 3
    again = taken(ann.put(path, {"cards": CARDS}), 200)
    assert again["commitment"] == first["commitment"]
    assert taken(bob.put(f"{evening.path}/players/1/deck", {"cards": CARDS}), 200)["commitment"] != first["commitment"]
    exchanged = taken(ann.put(path, {"cards": {"sword": 3}}), 200)
    assert exchanged["commitment"] != first["commitment"]
    taken(ann.put(path, {"cards": CARDS}), 200)
    for person in (evening.host, ann, bob, evening.anyone):
        text = person.get(evening.path).text + person.get(f"{evening.path}/entries?limit=200").text
        assert "sword" not in text
    evening.give(evening.host, "start")
    problem(ann.put(path, {"cards": {"sword": 3}}), 409, "command-refused")
    evening.give(evening.host, "check_deck", player=0, cards={"sword": 1, "shield": 2})
    (check,) = evening.read_view(ann)["checks"]
    assert (check["matches"], check["missing"], check["foreign"]) == (False, {"sword": 1}, {"shield": 1})
    evening.give(evening.host, "check_deck", player=0, cards=CARDS)
    assert [each["matches"] for each in evening.read_view(evening.host)["checks"]] == [False, True]
    assert evening.read_view(bob)["checks"] == evening.read_view()["checks"] == []


TOADS = [
    "spark_imp", "bone_pup", "moss_tick", "lantern_moth", "gutter_rat", "pebble_brute", "thornback", "scrap_crow",
    "cave_scout", "bog_leech", "dusk_bat", "ember_fox", "clay_guard", "hex_toad", "salve_sprite", "grave_beetle",
    "horn_blower", "mirror_newt", "iron_boar", "pitfall",
]  # fmt: skip


@pytest.mark.clause("TOURNAMENT-DECK-2")
def test_a_deck_in_a_match_that_is_not_the_deposited_one_waits_for_the_officials(app: Flask) -> None:
    evening = opened(
        app, game="creature_crush", variant="league", plays="refereed", decks="deposited", host_plays=False
    )  # fmt: skip
    evening.enter(2)
    for number, person in enumerate(evening.players):
        taken(person.put(f"{evening.path}/players/{number}/deck", {"cards": dict.fromkeys(TOADS, 1)}), 200)
    evening.start()
    table = evening.state.rounds[0].tables[0]
    missing = {"type": "tournament.check_deck", "player": table.players[0]}
    problem(evening.host.post(f"{evening.path}/commands", {"command": missing}), 422, "invalid-input")
    for seat, last in enumerate(("broken_seal", "pitfall")):
        move = {"type": "cc.bring_deck", "cards": [*TOADS[:-1], last]}
        player = evening.players[table.players[seat]]
        taken(player.post(f"/v1/matches/{table.match}/seats/{seat}/moves", {"move": move}))
    (item,) = list_queued_decks(evening)
    assert re.fullmatch("deck:[0-9a-f]{16}", item["item"]), "who claims it tells nobody whose deck it is"
    assert (item["court"], item["table"], item["match"]) == ("floor", 1, table.match)
    assert item["says"]["en"].startswith(f"Player {table.players[0] + 1} plays at table 1 with another deck")
    evening.give(evening.host, "claim", item=item["item"])
    evening.give(evening.host, "check_deck", player=table.players[0])
    (check,) = evening.read_view(evening.players[table.players[0]])["checks"]
    assert (check["matches"], check["missing"], check["foreign"]) == (False, {"pitfall": 1}, {"broken_seal": 1})
    assert list_queued_decks(evening) == []
    evening.give(evening.host, "check_deck", player=table.players[1])
    assert evening.read_view(evening.players[table.players[1]])["checks"][0]["matches"]


def list_queued_decks(evening: Evening) -> list[dict[str, Any]]:
    """The decks that wait for officials."""
    queue = taken(evening.host.get(f"{evening.path}/queue"), 200)["items"]
    return [each for each in queue if each["kind"] == "deck"]


def loads(record: bytes) -> dict[str, Any]:
    """A record as data."""
    import orjson

    found: dict[str, Any] = orjson.loads(record)
    return found

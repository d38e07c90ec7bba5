"""The example client in Python: it plays over a line that breaks, and says what a refusal means."""

from __future__ import annotations

import io
import json
import random
import urllib.error
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.docs.clients.referee_client import (
    DeviceKey,
    Event,
    ProblemError,
    Referee,
    SeedChain,
    build_move,
    read_events,
)
from tests.clients.house import BadLine, served

VECTOR = Path(__file__).parent / "chain_vector.json"


def sit_down(base: str, game: str, chains: tuple[SeedChain | None, ...] = (None, None), **body: Any) -> list[Referee]:
    """Opens a match of two, lets everybody join and starts it."""
    anyone = Referee(base, language="de")
    opened = anyone.request("POST", "/v1/matches", {"game": game, "seats": [{"kind": "human"}] * 2, **body})
    invited = zip(opened["invitations"], chains, strict=True)
    people = [anyone.join(each["code"], "Ada", chain) for each, chain in invited]
    for person, chain in zip(people, chains, strict=True):
        if chain:
            person.show_seed(chain)
    host = Referee(base, opened["token"], opened["match"])
    assert host.write_at_present(f"/v1/matches/{host.match}/start")["status"] == "running"
    return people


def test_a_match_is_played_over_a_bad_line() -> None:
    dice, moves, chains = random.Random(1), 0, (SeedChain(), SeedChain())
    with served(BadLine) as (base, line):
        people = sit_down(base, "mau_mau", chains, settings={"max_turns": 20})
        keys = [person.name_key(DeviceKey()) for person in people]
        streams = [person.stream_situations() for person in people]
        heard = [next(stream).data for stream in streams]
        while (awaited := heard[0]["view"]["awaits"]) and heard[0]["view"]["status"] == "running":
            mover, situation = people[awaited[0]], heard[awaited[0]]
            legal = [each["move"] for each in situation["moves"]["legal"]]
            key = {"key": keys[mover.seat], "root": situation["root"]}
            done = mover.make_move(dice.choice(legal), situation["version"], chain=chains[mover.seat], **key)
            moves += 1
            for seat, stream in enumerate(streams):
                while heard[seat]["version"] < done["version"]:
                    heard[seat] = next(stream).data
        assert [list(stream) for stream in streams] == [[], []], "streams end with the match"
        entries, cursor = [], 0
        while cursor is not None:
            address = f"/v1/matches/{people[0].match}/entries?viewer=full&limit=200&after={cursor}"
            page = people[0].request("GET", address)
            entries += page["items"]
            cursor = page["next_cursor"]
        seeds = people[0].request("GET", f"/v1/matches/{people[0].match}")["seeds"]
    assert min(line.lost, line.cut, line.away) > 2
    made = [entry for entry in entries if entry["actor"]["kind"] == "player"]
    assert len(made) == moves, "each move was made once"
    signed = [event for entry in made for event in entry["events"] if event["type"] == "table.MoveSigned"]
    assert len(signed) == moves, "and signed"
    assert [each["seed"] for each in seeds] == [chain.links[chain.at] for chain in chains]
    assert max(chain.at for chain in chains) > 2, "links are taken with moves too"


def test_a_chain_of_seeds_is_the_same_in_all_languages() -> None:
    wanted = json.loads(VECTOR.read_text("utf-8"))
    chain = SeedChain(bytes.fromhex(wanted["end"]))
    first, *links = chain.links
    shown = {"commitment": first, "links": links[:3], "length": len(links), "last": links[-1], "end": chain.end.hex()}
    assert shown == wanted


def test_a_move_is_made_without_a_link_where_the_seat_is_bound_to_another_chain() -> None:
    with served() as (base, _app):
        chains = SeedChain(), SeedChain()
        people = sit_down(base, "mau_mau", chains)
        situation = people[0].get_situation()
        mover = people[situation["view"]["awaits"][0]]
        taken = SeedChain()
        mover.request("PUT", f"{mover.seat_path(mover.seat)}/seed", {"commitment": taken.commitment})
        listing = mover.list_moves(mover.seat)
        made = mover.make_move(listing["legal"][0]["move"], seen=listing["version"], chain=chains[mover.seat])
        assert made["entry"]["seat"] == mover.seat
        assert not any("Revealed" in event["type"] for event in made["entry"]["events"])


def test_a_chain_that_was_restored_goes_on_from_what_the_match_has() -> None:
    with served() as (base, _app):
        chains = SeedChain(), SeedChain()
        people = sit_down(base, "mau_mau", chains)
        restored, other = SeedChain(chains[0].end), SeedChain()
        seeds = people[0].request("GET", f"/v1/matches/{people[0].match}")["seeds"]
        assert restored.follow(seeds, 0)
        assert restored.next_link == chains[0].next_link == chains[0].links[3]
        assert not other.follow(seeds, 0)
        assert SeedChain(length=0).next_link is None


def test_a_refusal_says_what_it_means() -> None:
    with served() as (base, _app):
        people = sit_down(base, "monster_combat")
        situation = people[0].get_situation()
        mover = people[situation["view"]["awaits"][0]]
        listing = mover.list_moves(mover.seat)
        with pytest.raises(ProblemError, match="illegal-move") as refused:
            mover.make_move({"type": "sm.concede"}, seen=listing["version"])
        assert refused.value.is_against_the_rules
        assert not refused.value.is_overtaken
        mover.make_move(listing["legal"][0]["move"], seen=listing["version"])
        with pytest.raises(ProblemError) as overtaken:
            mover.make_move(listing["legal"][0]["move"], seen=listing["version"])
        assert overtaken.value.is_overtaken


def test_a_picker_becomes_a_move() -> None:
    choices = [
        {"field": "card", "kind": "one", "values": ["a"], "copies": None, "least": None, "most": None},
        {"field": "cards", "kind": "several", "values": ["b", "c"], "copies": [2, 1], "least": 3, "most": 3},
        {"field": "cells", "kind": "places", "values": ["d"], "copies": [2], "least": 2, "most": 2},
        {"field": "count", "kind": "number", "values": [], "copies": None, "least": 4, "most": 4},
        {"field": "changes", "kind": "changes", "values": ["e"], "copies": None, "least": 1, "most": 50},
    ]
    picker = {"type": "x", "move": {"type": "x", "card": "", "other": 7}, "choices": choices}
    move = build_move(picker, random.Random(1))
    assert sorted(move.pop("cards")) == ["b", "b", "c"]
    assert move.pop("cells") == [{"card": "d", "x": 0, "y": 1}, {"card": "d", "x": 0, "y": 2}]
    assert move == {"type": "x", "card": "a", "count": 4, "changes": [], "other": 7}


def test_an_event_that_was_cut_off_is_dropped() -> None:
    lines = [b": hello\n", b"event: entry\n", b"id: 4\n", b'data: {"a": 1}\n', b"\n", b"event: entry\n", b'data: {"a"']
    within_a_letter = [*lines[:-1], b'data: {"a": "\xc3']
    for cut in (lines, within_a_letter):
        assert list(read_events(iter(cut))) == [Event("entry", {"a": 1}, 4, "4")]


def test_a_wait_that_is_too_long_is_left_to_the_app(monkeypatch: pytest.MonkeyPatch) -> None:
    """An app says so; it does not stand still for an hour."""

    def refuse(self: Any, *given: Any) -> Any:
        asked.append(given)
        headers: Any = {"Retry-After": "3600"}
        raise urllib.error.HTTPError(
            "http://x", 429, "Too many", headers, io.BytesIO(b'{"type": "/problems/too-many-requests"}')
        )

    asked: list[Any] = []
    monkeypatch.setattr(Referee, "send", refuse)
    with pytest.raises(ProblemError, match="too-many-requests"):
        Referee("http://x").request("POST", "/v1/matches", {})
    assert len(asked) == 1


def test_a_tournament_is_held_and_its_stream_followed() -> None:
    with served() as (base, _app):
        anyone = Referee(base)
        opened = anyone.request("POST", "/v1/tournaments", {"game": "mau_mau", "system": "round_robin"})
        path = f"/v1/tournaments/{opened['tournament']}"
        host = Referee(base, opened["token"])
        code = host.request("POST", f"{path}/invitations", {"role": "player", "uses": 2})["code"]
        ada, bob = (anyone.join(code, name) for name in ("Ada", "Bob"))
        assert (ada.tournament, ada.match) == (opened["tournament"], "")
        for command in ("start", "pair"):
            host.request("POST", f"{path}/commands", {"command": {"type": f"tournament.{command}"}})
        (table,) = bob.request("GET", path)["rounds"][0]["tables"]
        seated = replace(ada, match=table["match"], seat=table["players"].index(0))
        assert seated.get_situation()["view"]["status"] == "running", "one token is good for all tables"
        stream = host.stream(f"{path}/stream")
        first = next(stream)
        assert (first.name, first.data["status"]) == ("snapshot", "running")
        ada.request("POST", f"{path}/commands", {"command": {"type": "tournament.concede"}})
        host.request("POST", f"{path}/commands", {"command": {"type": "tournament.end"}})
        assert [event.name for event in stream][-1] == "end"


def test_a_players_stream_has_ids_that_are_no_versions() -> None:
    with served() as (base, _app):
        made = Referee(base).request("POST", "/v1/players", {"name": "Ada"})
        ada = Referee(base, made["token"])
        event = next(ada.stream(f"/v1/players/{made['id']}/stream"))
        assert (event.name, event.data["items"], event.version) == ("matches", [], None)
        assert len(event.id) == 16
        assert ada.request("DELETE", f"/v1/players/{made['id']}") is None

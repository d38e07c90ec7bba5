"""What an entry tells besides its events: a sentence, and the numbers of the board that it changed."""

from __future__ import annotations

import random
from typing import Any

import orjson
import pytest
from flask import Flask

from referee.engine.parts.boards import list_numbers
from tests.api import house
from tests.api.house import Person, Table
from tests.api.streaming import entries, moved, open_stream, quick
from tests.api.test_streams import rewind

GAMES = ("monster_combat", "here_to_slay", "shy_monsters", "munchkin", "creature_crush", "mau_mau")


@pytest.fixture
def app() -> Flask:
    return quick(house.app())


def viewers(table: Table) -> list[tuple[Person, str]]:
    """Both seats and an onlooker, with their addresses."""
    return [*((person, f"{table.path}/seats/{seat}") for seat, person in enumerate(table.seats)), (
        table.anyone, table.path,
    )]  # fmt: skip


def board(person: Person, viewer: str, version: int) -> Any:
    return person.get(f"{viewer}/board?version={version}").json["board"]  # type: ignore[index]


def resolve(shown: Any, pointer: str) -> int | None:
    """The number, or the size of the pile or list, to which a JSON Pointer leads."""
    for part in pointer.split("/")[1:]:
        shown = shown[int(part)] if isinstance(shown, list) else shown[part]
    if isinstance(shown, dict):
        return shown["count"]  # type: ignore[no-any-return]
    return len(shown) if isinstance(shown, list) else shown


def differences(before: Any, after: Any) -> set[tuple[Any, ...]]:
    """The numbers in which two boards differ."""
    was, now = ({key: number for key, (_, number) in list_numbers(each).items()} for each in (before, after))
    return {(*key, was.get(key), now.get(key)) for key in was.keys() | now.keys() if was.get(key) != now.get(key)}


def check(person: Person, viewer: str, told: list[Any]) -> int:
    """Compare what entries tell with their explanations and with the boards around them; return the changes found."""
    found = 0
    for entry in told:
        version, changes = entry["version"], entry["changes"]
        explained = person.get(f"{viewer}/entries/{version}/explain").json
        assert entry["says"] == explained["sentence"]  # type: ignore[index]
        before = board(person, viewer, version - 1) if version > 1 else None
        after = board(person, viewer, version)
        if before is None:
            assert changes == []
            continue
        assert {(each["seat"], each["what"], each["from"], each["to"]) for each in changes} == differences(
            before, after
        )
        for each in changes:
            shown, number = (before, each["from"]) if each["to"] is None else (after, each["to"])
            assert resolve(shown, each["at"]) == number, each
            found += 1
    return found


@pytest.mark.parametrize("game", GAMES)
def test_sentence_and_changes_are_those_of_explanation_and_boards(app: Flask, game: str) -> None:
    seats, dice = 3 if game == "munchkin" else 2, random.Random(game)
    table = house.opened(app, game, seats, visibility="public", spectator_delay=0)
    for _ in range(25):
        if not any(isinstance(seat, int) for seat in table.awaited):
            break
        moved(table, dice)
    for person, viewer in viewers(table):
        listed: Any = person.get(f"{viewer}/entries?limit=200").json["items"]  # type: ignore[index]
        assert check(person, viewer, listed) > 10
        for after in (0, 3, len(listed) - 2, len(listed) - 1):
            some: Any = person.get(f"{viewer}/entries?after={after}&limit=2").json["items"]  # type: ignore[index]
            assert some == listed[after : after + 2]


@pytest.mark.parametrize("game", ["monster_combat", "here_to_slay"])
def test_answers_to_moves_streams_and_lines_tell_the_same(app: Flask, game: str) -> None:
    table, dice = house.opened(app, game), random.Random(game)
    path = f"{table.path}/seats/0"
    with open_stream(table.seats[0], path) as stream:
        stream.now()
        for _ in range(12):
            seat = next(seat for seat in table.awaited if isinstance(seat, int))
            options = [each for each in table.moves(seat)["legal"] if each["flag"] != "gives_up"]
            prefer = dice.choice(["", "return=representation"])
            made: Any = table.move(seat, dice.choice(options)["move"], Prefer=prefer).json
            own = f"{table.path}/seats/{seat}/entries?after={made['entry']['version'] - 1}"
            assert [made["entry"], *made["followed"]] == table.seats[seat].get(own).json["items"]  # type: ignore[index]
            listed: Any = table.seats[0].get(f"{path}/entries?after={made['entry']['version'] - 1}").json["items"]  # type: ignore[index]
            assert entries(stream.now()) == listed
            lines = table.seats[0].get(f"{path}/entries", Accept="application/x-ndjson").data.splitlines()
            assert orjson.loads(lines[-1]) == listed[-1]


def test_an_entry_that_goes_back_tells_what_it_undid(app: Flask) -> None:
    table, dice = house.opened(app, visibility="public", spectator_delay=0), random.Random(2)
    version = table.version
    for _ in range(5):
        moved(table, dice)
    rewind(app, table.match, version)
    moved(table, dice)
    for person, viewer in viewers(table):
        listed: Any = person.get(f"{viewer}/entries?after={version}").json["items"]  # type: ignore[index]
        back = next(each for each in listed if any(event["type"] == "table.Rewound" for event in each["events"]))
        assert back["changes"]
        check(person, viewer, listed)
        for entry in listed:
            alone: Any = person.get(f"{viewer}/entries/{entry['version']}").json
            assert (alone["says"], alone["changes"]) == (entry["says"], entry["changes"])


def test_who_wants_less_gets_less(app: Flask) -> None:
    table = house.opened(app)
    path = f"{table.path}/seats/0/entries"
    whole, bare = (table.seats[0].get(f"{path}{query}").json["items"] for query in ("", "?says=false"))  # type: ignore[index]
    extra = {"says", "changes"}
    assert [each.keys() | extra for each in bare] == [each.keys() for each in whole]
    assert all(not extra & each.keys() for each in bare)
    assert [each["events"] for each in bare] == [each["events"] for each in whole]
    seat = next(seat for seat in table.awaited if isinstance(seat, int))
    made: Any = table.move(seat, table.moves(seat)["legal"][0]["move"], Prefer="return=minimal").json
    assert all(not {"says", "changes"} & each.keys() for each in (made["entry"], *made["followed"]))


def test_a_sentence_has_the_language_of_the_answer(app: Flask) -> None:
    table = house.opened(app)
    german, english = (
        table.seats[0].get(f"{table.path}/seats/0/entries", Accept_Language=lang).json["items"][0]["says"]  # type: ignore[index]
        for lang in ("de", "en")
    )
    assert (list(german), list(english)) == (["de"], ["en"])
    assert german["de"].startswith("Ein Tisch für Monster Combat")


def test_the_state_of_the_engine_is_only_in_the_form_for_audits(app: Flask) -> None:
    table = house.opened(app)
    path = f"{table.path}/seats/0/entries"

    def started(query: str) -> Any:
        listed: Any = table.seats[0].get(f"{path}{query}").json["items"]  # type: ignore[index]
        return next(
            (each["version"], event) for each in listed for event in each["events"] if event["type"] == "table.Started"
        )

    version, shown = started("")
    assert "table" not in shown
    assert started("?steps=true")[1]["table"]["agenda"]
    alone: Any = table.seats[0].get(f"{path}/{version}").json
    assert any("table" in event for event in alone["events"])

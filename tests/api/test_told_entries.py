"""What an entry tells besides its events: a sentence, and the numbers of the board that it changed."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import orjson
import pytest
from flask import Flask

from referee.engine.parts.boards import list_numbers
from tests.api import house
from tests.api.house import Person, Table, seen_as
from tests.api.streaming import entries, moved, open_stream, quick
from tests.api.test_streams import rewind

GAMES = ("monster_combat", "here_to_slay", "shy_monsters", "munchkin", "creature_crush", "mau_mau")


@pytest.fixture
def app() -> Flask:
    return quick(house.app())


@dataclass(frozen=True)
class Viewer:
    """Somebody who looks at a table, and as whom."""

    person: Person
    path: str
    seat: int | None

    def get(self, part: str) -> Any:
        return self.person.get(seen_as(f"{self.path}/{part}", self.seat)).json


def viewers(table: Table) -> list[Viewer]:
    """All seats and an onlooker."""
    seats = [Viewer(person, table.path, seat) for seat, person in enumerate(table.seats)]
    return [*seats, Viewer(table.anyone, table.path, None)]


def board(viewer: Viewer, version: int) -> Any:
    return viewer.get(f"board?version={version}")["board"]


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


def check(viewer: Viewer, told: list[Any]) -> int:
    """Compare what entries tell with their explanations and with the boards around them; return the changes found."""
    found = 0
    for entry in told:
        version, changes = entry["version"], entry["changes"]
        explained = viewer.get(f"entries/{version}/explanation")
        assert entry["says"] == explained["sentence"]
        before = board(viewer, version - 1) if version > 1 else None
        after = board(viewer, version)
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
    for viewer in viewers(table):
        listed = viewer.get("entries?limit=200")["items"]
        assert check(viewer, listed) > 10
        for after in (0, 3, len(listed) - 2, len(listed) - 1):
            some = viewer.get(f"entries?after={after}&limit=2")["items"]
            assert some == listed[after : after + 2]


@pytest.mark.parametrize("game", ["monster_combat", "here_to_slay"])
def test_answers_to_moves_streams_and_lines_tell_the_same(app: Flask, game: str) -> None:
    table, dice = house.opened(app, game), random.Random(game)
    mine = viewers(table)[0]
    with open_stream(table.seats[0], table.path, 0) as stream:
        stream.now()
        for _ in range(12):
            seat = next(seat for seat in table.awaited if isinstance(seat, int))
            options = [each for each in table.moves(seat)["legal"] if each["flag"] != "gives_up"]
            prefer = dice.choice(["", "return=representation"])
            made: Any = table.move(seat, dice.choice(options)["move"], Prefer=prefer).json
            part = f"entries?after={made['entry']['version'] - 1}"
            assert [made["entry"], *made["followed"]] == viewers(table)[seat].get(part)["items"]
            listed = mine.get(part)["items"]
            assert entries(stream.now()) == listed
            lines = (
                table.seats[0]
                .get(f"{table.path}/entries?viewer=seat:0", Accept="application/x-ndjson")
                .data.splitlines()
            )
            assert orjson.loads(lines[-1]) == listed[-1]


def test_an_entry_that_goes_back_tells_what_it_undid(app: Flask) -> None:
    table, dice = house.opened(app, visibility="public", spectator_delay=0), random.Random(2)
    version = table.version
    for _ in range(5):
        moved(table, dice)
    rewind(app, table.match, version)
    moved(table, dice)
    for viewer in viewers(table):
        listed = viewer.get(f"entries?after={version}")["items"]
        back = next(each for each in listed if any(event["type"] == "table.Rewound" for event in each["events"]))
        assert back["changes"]
        check(viewer, listed)
        for entry in listed:
            alone = viewer.get(f"entries/{entry['version']}")
            assert (alone["says"], alone["changes"]) == (entry["says"], entry["changes"])


def test_who_wants_less_gets_less(app: Flask) -> None:
    table = house.opened(app)
    mine = viewers(table)[0]
    whole, bare = (mine.get(f"entries{query}")["items"] for query in ("", "?says=false"))
    extra = {"says", "changes"}
    assert [each.keys() | extra for each in bare] == [each.keys() for each in whole]
    assert all(not extra & each.keys() for each in bare)
    assert [each["events"] for each in bare] == [each["events"] for each in whole]
    seat = next(seat for seat in table.awaited if isinstance(seat, int))
    move: Any = table.moves(seat)["legal"][0]["move"]
    made: Any = table.move(seat, move, Prefer="return=minimal", Idempotency_Key="k" * 24).json
    again = table.move(seat, move, Prefer="return=minimal", Idempotency_Key="k" * 24).json
    assert all(not {"says", "changes"} & each.keys() for each in (made["entry"], *made["followed"]))
    assert again == made, "a repeated request gets the same answer"


def test_a_sentence_has_the_language_of_the_answer(app: Flask) -> None:
    table = house.opened(app)
    german, english = (
        table.seats[0].get(f"{table.path}/entries?viewer=seat:0", Accept_Language=lang).json["items"][0]["says"]  # type: ignore[index]
        for lang in ("de", "en")
    )
    assert (list(german), list(english)) == (["de"], ["en"])
    assert german["de"].startswith("Ein Tisch für Monster Combat")


def test_the_state_of_the_engine_is_only_in_the_form_for_audits(app: Flask) -> None:
    table = house.opened(app)
    mine = viewers(table)[0]

    def started(query: str) -> Any:
        return next(
            (each["version"], event)
            for each in mine.get(f"entries{query}")["items"]
            for event in each["events"]
            if event["type"] == "table.Started"
        )

    version, shown = started("")
    assert "table" not in shown
    assert started("?steps=true")[1]["table"]["agenda"]
    alone = mine.get(f"entries/{version}")
    assert any("table" in event for event in alone["events"])

"""What was found by attacking tables, quarrels and the census through the door."""

from __future__ import annotations

import random
from typing import Any

import pytest
from flask import Flask

from referee.cli.timeline_output import render_entries
from tests.api import house
from tests.api.house import Person, Table, problem
from tests.api.tables import stands
from tests.api.test_deviations import arbiter, deviates
from tests.api.test_quarrels import PAGE, RULINGS, body


def built(app: Flask) -> tuple[Table, list[str], int]:
    """A dungeon that is built: the cards of its floor, and the first of them that lies face down."""
    table, dice = house.opened(app, "shy_monsters"), random.Random(3)
    for _ in range(30):
        state: Any = stands(table).state
        hidden = [at for at, tile in enumerate(state.view_for(-1).tiles) if tile.card == "?"]
        if hidden:
            return table, [tile.card for tile in state.tiles], hidden[0]
        seat = table.awaited[0]
        legal = [each["move"] for each in table.moves(seat)["legal"]]
        move = dice.choice([each for each in legal if not each["type"].endswith("concede")])
        assert table.move(seat, move).status_code == 201
    raise AssertionError("no dungeon was built")


def test_no_arbiter_finds_a_card_that_lies_face_down_by_setting_it(app: Flask) -> None:
    """What another card would make impossible was refused, and the one that lies there granted: by trying, told."""
    table, cards, at = built(app)
    ruler = arbiter(table)
    version, seat = table.version, table.awaited[0]
    move = table.moves(seat)["legal"][0]["move"]
    broken = {"seat": 1 - seat, "move": move, "clauses": ["SM-BUILD-2"]}
    for who in (ruler, table.host):
        answers = []
        for card in sorted({*cards, "?", "nonsense"}):
            fix = [{"set": f"/tiles/{at}/card", "to": card}]
            wrong = problem(deviates(table, who, **broken, fix=fix), 422, "invalid-input")
            answers.append(wrong["errors"])
        assert all(each == answers[0] for each in answers)
        assert answers[0][0]["pointer"] == "/fix/0/set"
    assert table.version == version


def test_what_lies_open_is_still_put_right_by_an_arbiter(app: Flask) -> None:
    table, _, _ = built(app)
    seat = table.awaited[0]
    move = table.moves(seat)["legal"][0]["move"]
    view: Any = table.seats[0].get(f"{table.path}/view?viewer=seat:0").json["table"]  # type: ignore[index]
    name, value = next((name, value) for name, value in view.items() if type(value) is int)
    fix = [{"set": f"/{name}", "to": value}]
    done = deviates(table, arbiter(table), seat=1 - seat, move=move, clauses=["SM-BUILD-2"], fix=fix)
    assert done.status_code == 201, done.text


@pytest.mark.parametrize("sign", ["\x1b", "\x00", "\u202e", "\u2066"])
def test_no_sign_in_a_move_steers_or_turns_the_page_of_a_ruling(sign: str) -> None:
    anyone = Person(house.app().test_client())
    move = {"type": "mc.play", "card": f"sword{sign}legal"}
    asked = anyone.post(RULINGS, body(move=move), Accept=PAGE, Idempotency_Key="")
    assert asked.status_code == 200, asked.text
    assert "\ufffdlegal" in asked.text
    assert sign not in asked.text


@pytest.mark.parametrize(("lang", "says"), [("en", "taken back by 2"), ("de", "zurückgenommen durch 2")])
def test_what_was_taken_back_is_marked_in_the_language_that_was_asked_for(lang: str, says: str) -> None:
    told = {"en": "something", "de": "etwas"}
    kinds = ["mc.Hit", "table.Rewound"]
    course = [
        {"version": n, "seat": 0, "events": [{"type": kind, "to": 0, "told": told}]} for n, kind in enumerate(kinds, 1)
    ]
    assert next(line for line in render_entries(course, lang) if f"({says})" in line).lstrip().startswith("1 ")


def test_censuses_are_counted_as_what_is_dear() -> None:
    """A census of a long match takes seconds, and every claim is a census of its own."""
    app = house.app(RATES={**house.FREE, "dry_runs": 3})
    table = house.opened(app, visibility="public")
    places = [
        f"{table.path}/census",
        f"{table.path}/census?viewer=seat:0",
        f"{table.path}/census?place=discard&count=1",
    ]
    for path in places:
        assert table.seats[0].get(path).status_code == 200
    problem(table.seats[0].get(places[0]), 429, "too-many-requests")
    assert table.seats[0].get(table.path).status_code == 200

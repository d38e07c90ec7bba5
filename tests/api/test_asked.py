"""What the table asks of a seat tells method, path and bodies: a client that knows nothing else answers all of it."""

from __future__ import annotations

from typing import Any

from flask import Flask

from tests.api import tables
from tests.api.contracted import fit
from tests.api.house import Table, opened
from tests.api.test_silence import declares, with_a_challenge_open
from tests.api.test_steps import played
from tests.evenings import here_to_slay


def answers(table: Table, seat: int, at: int) -> Any:
    """Sends one of the answers to the only question, as it stands there."""
    (question,) = table.moves(seat)["asked"]
    chosen = question["answers"][at]
    assert chosen["says"]["en"]
    assert chosen["says"]["de"]
    assert "{" not in chosen["says"]["en"]
    fit("TableQuestion", question)
    said = table.seats[seat].ask(question["method"], question["path"], chosen["body"])
    assert said.status_code in (200, 201), said.text
    return said.json


def test_an_objection_is_one_of_the_buttons(app: Flask) -> None:
    table = with_a_challenge_open(app, objection_ms=5000)
    assert declares(table, table.seats[2]).status_code == 201
    assert table.moves(2)["asked"] == []  # it is not asked in this window
    answers(table, 1, 0)
    assert table.moves(1)["asked"] == []
    tables.later(table, 5000)
    assert table.awaited == [1]


def test_a_slip_is_confirmed_by_a_button(app: Flask) -> None:
    table = here_to_slay.sit_down(app, clocks=here_to_slay.AT_ONCE)
    silence = [{"nobody_reacts": True}]
    assert table.move(2, {"type": "hts.play", "card": "peanut"}, reports=silence).status_code == 201
    assert table.move(2, {"type": "choose.accept"}).status_code == 201
    entry = tables.reports(table, tables.rolled(3, 3))
    assert table.move(1, {"type": "hts.pass"}).status_code == 201
    assert tables.corrects(table, entry, tables.rolled(4, 4), table.seats[0]).status_code == 201
    answers(table, 2, 0)
    assert sorted(table.awaited) == [0, 1, 2]


def test_a_takeback_is_answered_by_buttons_and_barred_with_the_second_no(app: Flask) -> None:
    table = opened(app, "monster_combat", 2)
    tables.played_until(table, lambda _: table.version > 12)
    mover = 0
    for count in (2, 3):
        tables.played_until(table, lambda _: table.awaited == [0])
        move = next(each["move"] for each in table.moves(mover)["legal"] if each["flag"] != "gives_up")
        to = table.version
        assert table.move(mover, move).status_code == 201
        tables.played_until(table, lambda _, other=1 - mover: table.awaited == [other])
        asked = table.seats[mover].post(f"{table.path}/takebacks", {"to": to}, If_Match="*")
        assert asked.status_code == 201, asked.text
        (question,) = table.moves(1 - mover)["asked"]
        assert len(question["answers"]) == count
        told = f"Player {mover + 1} asks to go back to entry {to}; all that came after it would be undone."
        assert question["asks"]["en"] == f"{told} Should play go back?"
        answers(table, 1 - mover, 1)


def test_testimony_and_votes_are_buttons() -> None:
    here, about, mover = played()
    claimant, third = (seat for seat in range(3) if seat != mover)
    here.open(claimant, about, "other")
    assert [each["body"] for each in here.table.moves(third)["asked"][0]["answers"]] == [
        {"seat": third, "holds": True}, {"seat": third, "holds": False},
    ]  # fmt: skip
    answers(here.table, third, 0)
    voting = here.table.moves(third)["asked"]
    assert [each["body"]["remedy"] for each in voting[0]["answers"]] != []
    for seat in range(3):
        if here.table.moves(seat)["asked"]:
            answers(here.table, seat, 0)
    assert all(here.table.moves(seat)["asked"] == [] for seat in range(3))

"""What cards change in the cost of creatures and crush cards: paid, listed, refused and explained alike."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.referee import build_view, collect_granting_clauses, find_legal_moves
from referee.engine.rulebook.book import BookError
from referee.engine.seats import Seat
from referee.games.books import install_book_text
from referee.games.creature_crush import GAME
from referee.games.creature_crush.breakdowns import break_down_event
from referee.games.creature_crush.card_attributes import COST_X
from referee.games.creature_crush.events.cards import CreatureSummoned, CrushLaid
from referee.games.creature_crush.events.course import NextCrushChanged
from referee.games.creature_crush.events.field import AttackDeclared, CreaturesDamaged
from referee.games.creature_crush.moves import Attack, Flip, Lay, Summon
from referee.games.creature_crush.rules.actions.paying import change_crush_cost, could_lie_at
from referee.games.creature_crush.state import Table
from referee.rendering.texts import describe_event
from tests.games.course import of, refusal, refused, when
from tests.games.creature_crush.table import place, table, with_real_cards
from tests.games.creature_crush.wording import read, said, unsaid  # noqa: F401

BOOK = """
book: tolls
game: creature_crush
title: Tolls
extends: printed
cards:
- {id: cheap, kind: creature, cost: 8, attack: 2, life: 4, name: Cheap, text: Less., standing: [{cost: -1, to: allies}]}
- {id: dear, kind: creature, cost: 8, attack: 2, life: 4, name: Dear, text: More., standing: [{cost: 2, to: enemies}]}
- {id: own, kind: creature, cost: 8, attack: 2, life: 4, name: Own, text: Own., standing: [{cost: -9}]}
- {id: small, kind: creature, cost: 1, attack: 2, life: 4, name: Small, text: Nothing.}
"""


@pytest.fixture(scope="module")
def edition() -> str:
    """The book of the cards above."""
    return install_book_text(BOOK, "tolls.yaml").edition


def lay(edition: str, mine: dict[str, str], theirs: dict[str, str], **how: Any) -> tuple[Table, dict[str, str]]:
    """A table with cards of the book by their short names, and what these are called in full."""
    full = {name: f"{name}@{edition.partition('@')[2]}" for name in ("cheap", "dear", "own", "small")}
    boards = [{place: full.get(card, card) for place, card in board.items()} for board in (mine, theirs)]
    hands = (tuple(full.get(card, card) for card in how.pop("hand", ())), ())
    return table(*boards, rules={"edition": edition}, hands=hands, **how), full


def summons(state: Table) -> set[tuple[str, tuple[int, ...]]]:
    """What a player may summon, and with which dice."""
    return {(move.card, move.dice) for move in find_legal_moves(state, Seat(0)) if isinstance(move, Summon)}


@pytest.mark.clause("CC-WORD-COST-1")
def test_the_changed_cost_is_what_is_listed_paid_and_refused(edition: str) -> None:
    state, full = lay(edition, {"B1": "cheap"}, {}, hand=("own",), dice=(2, 5, 6))
    assert summons(state) == {(full["own"], (2, 5))}, "8, less 1"
    assert refused(state, 0, Summon(full["own"], "B2", (2, 6))) == (
        "pips_do_not_match",
        "CC-PAY-1",
    )
    assert "CC-WORD-COST-1" in refusal(state, 0, Summon(full["own"], "B2", (2, 6))).clauses
    events, after = when(state, 0, Summon(full["own"], "B2", (2, 5)))
    assert of(events, CreatureSummoned)
    assert after.dice == (6,)
    assert "CC-WORD-COST-1" in collect_granting_clauses(state, Summon(full["own"], "B2", (2, 5)), events)


@pytest.mark.clause("CC-WORD-COST-1")
def test_changes_of_both_sides_add_up_and_never_go_below_one(edition: str) -> None:
    state, full = lay(edition, {"B1": "cheap", "B2": "own"}, {"B1": "dear"}, hand=("small",), dice=(1, 2))
    assert [state.pips_to_pay(0, full[card]) for card in ("cheap", "own", "small")] == [9, 1, 2]
    alone, full = lay(edition, {"B1": "cheap"}, {}, hand=("small",))
    assert alone.pips_to_pay(0, full["small"]) == 1
    assert alone.pips_to_pay(1, full["dear"]) == 8, "the other player's cost what is printed"


@pytest.mark.clause("CC-WORD-COST-1")
def test_an_attack_is_paid_with_the_changed_cost_and_explained(edition: str) -> None:
    state, full = lay(edition, {"A1": "own"}, {"B1": "stone_owl", "B2": "dear"}, dice=(1, 2, 5))
    move = Attack(full["own"], (1,), "stone_owl")
    assert move in find_legal_moves(state, Seat(0))
    events, _ = when(state, 0, move)
    (declared,) = of(events, AttackDeclared)
    (cost,) = break_down_event(state, declared)
    assert (cost.value, cost.says) == (1, "number.cost")
    assert [(part.value, part.says) for part in cost.parts] == [
        (8, "number.printed"), (-9, "number.given_cost"), (2, "number.given_cost"),
    ]  # fmt: skip
    alone, full = lay(edition, {"A1": "own"}, {"B1": "stone_owl"}, dice=(1,))
    (cost,) = break_down_event(alone, AttackDeclared(0, full["own"], "stone_owl"))
    assert [part.says for part in cost.parts][-1] == "number.not_below_one"


def test_without_changes_nothing_is_said_about_the_cost(edition: str) -> None:
    state, _ = lay(edition, {"A1": "thornback"}, {"B1": "stone_owl"})
    assert break_down_event(state, AttackDeclared(0, "thornback", "stone_owl")) == ()


def test_the_board_shows_what_is_to_be_paid(edition: str) -> None:
    state, _ = lay(edition, {"B1": "own"}, {"B1": "dear"})
    board: Any = GAME.boards.draw(state, 0, "skirmish")
    assert [place["creature"]["cost"] for place in board["seats"][0]["field"] if place["creature"]] == [1]


# ---- the next crush card ---------------------------------------------------------------------------------------------

CHEAPER = {"do": "next_crush", "dice": -1}


def lays(state: Table) -> set[tuple[str, tuple[int, ...]]]:
    """What a player may lay, and with which dice."""
    return {(move.card, move.dice) for move in find_legal_moves(state, Seat(0)) if isinstance(move, Lay)}


@pytest.mark.clause("CC-WORD-COST-2")
def test_the_next_crush_card_is_laid_for_a_die_less_and_the_one_after_it_is_not() -> None:
    state = table(hands=(("recoil", "volley", "war_council"), ()), dice=(2, 4, 4))
    events, state = said(state, CHEAPER)
    assert of(events, NextCrushChanged) == [NextCrushChanged(0, -1)]
    assert {(card, len(dice)) for card, dice in lays(state)} == {("recoil", 0), ("volley", 2), ("war_council", 0)}
    assert refused(state, 0, Lay("volley", "C1", (2, 4, 4)))[0] == "wrong_number_of_dice"
    assert "CC-WORD-COST-2" in refusal(state, 0, Lay("volley", "C1", (2, 4, 4))).clauses
    events, after = when(state, 0, Lay("volley", "C1", (4, 4)))
    (laid,) = of(events, CrushLaid)
    assert [(part.value, part.says) for part in break_down_event(state, laid)] == [
        (2, "number.dice_burned"), (-1, "number.crush_change"),
    ]  # fmt: skip
    state = after
    assert (state.next_crush, state.saved, state.dice) == ({}, {place(0, "C1"): -1}, (2,))
    assert {(card, len(dice)) for card, dice in lays(state)} == {("recoil", 1), ("war_council", 0)}


@pytest.mark.clause("CC-WORD-COST-2")
def test_the_other_player_knows_what_may_lie_there_and_it_is_flipped() -> None:
    _, state = said(table({}, {"B1": "stone_owl"}, hands=(("volley",), ()), dice=(4, 4)), CHEAPER)
    _, state = when(state, 0, Lay("volley", "C1", (4, 4)))
    assert could_lie_at(state, place(0, "C1"), 3)
    assert not could_lie_at(state, place(0, "C1"), 2)
    seen = build_view(state, Seat(1))
    assert seen.saved == state.saved
    assert (
        GAME.positions.tables.find_table(written := GAME.positions.encode_position(state)).examine(written)[0] == state
    )
    events, after = when(with_real_cards(state), 0, Flip("C1", "volley"))
    assert of(events, CreaturesDamaged)
    assert after.saved == {}


def test_changes_add_up_never_go_below_nothing_and_leave_x_alone() -> None:
    _, state = said(
        table(hands=(("recoil",), ())), CHEAPER, CHEAPER, {"do": "next_crush", "dice": 2, "who": "opponent"}
    )
    assert state.next_crush == {"0": -2, "1": 2}
    assert lays(state) == {("recoil", ())}
    assert [change_crush_cost(cost, -2) for cost in (0, 3, COST_X)] == [0, 1, COST_X]
    _, level = said(state, {"do": "next_crush", "dice": 2})
    assert level.next_crush == {"1": 2}
    assert GAME.boards.draw(level, 0, "skirmish")["seats"][1]["crush_change"] == 2


@pytest.mark.parametrize(
    ("dice", "en", "de"), [(-1, "one die less", "einen W\u00fcrfel weniger"), (2, "2 dice more", "2 W\u00fcrfel mehr")]
)
def test_the_change_is_told_in_both_languages(dice: int, en: str, de: str) -> None:
    told = describe_event(GAME, NextCrushChanged(0, dice))
    assert told is not None
    assert en in told["en"]
    assert de in told["de"]


def test_a_change_of_nothing_is_refused() -> None:
    with pytest.raises(BookError, match="1 to 5 dice, or -1 to -5"):
        read({"do": "next_crush", "dice": 0})

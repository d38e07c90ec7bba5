"""Worlds that a seat cannot tell apart: what it sees is the same in all of them, and each of them can be."""

from __future__ import annotations

import random
from typing import Any

import pytest

from referee.engine.game import Setup
from referee.engine.referee import build_view, seats_that_may_act, seats_that_must_act
from referee.engine.seats import BYSTANDER, Seat
from referee.engine.zones import is_back
from referee.games.creature_crush import GAME
from referee.games.creature_crush.components import DECKS, DRAFTS, HANDS, HELLS, face_of, strip_copy_number
from referee.games.creature_crush.state import Table
from tests.games.creature_crush.written import DECK_LIST, build_midgame
from tests.games.matches import random_match

Data = dict[str, Any]


def worlds(state: Table, seat: Seat, count: int, seed: int = 4) -> list[Table]:
    """Some worlds that this seat cannot tell from this one."""
    dice = random.Random(seed)
    found = [GAME.tracking.determinize(state, seat, dice.randrange) for _ in range(count)]
    for other in found:
        assert build_view(other, seat) == build_view(state, seat)
        assert (seats_that_must_act(other), seats_that_may_act(other)) == (
            seats_that_must_act(state),
            seats_that_may_act(state),
        )
    return found


@pytest.mark.deep
@pytest.mark.parametrize("variant", GAME.variants)
@pytest.mark.parametrize("named", [None, (1,)])
def test_every_world_looks_alike_and_can_be_written_down(variant: str, named: tuple[int, ...] | None) -> None:
    source = "server" if named is None else "table"
    setup = GAME.complete_setup(
        Setup(variant, 2, {"quiet_turns": 10}, dict.fromkeys(GAME.devices, source), named or ())
    )
    others = 0
    for at, turn in enumerate(random_match("creature_crush", setup, 6)):
        for other in worlds(turn.after, (Seat(0), Seat(1), BYSTANDER)[at % 3], 1, at):
            assert GAME.positions.decode_position(GAME.positions.encode_position(other)) == other
            others += other != turn.after
    assert others > 40


@pytest.mark.clause("CC-AMB-14", "CC-CRUSH-1")
def test_under_a_c_place_lies_a_crush_card_for_which_so_many_dice_are_burned() -> None:
    theirs = {"board": {"C1": "healing_spring", "C2": {"card": "dam_break", "dice": 2}, "C3": "volley"},
              "hand": ["hex_toad", "pitfall", "overthrow", "grave_robbery"], "deck": ["spark_imp", "recoil"],
              "hell": {"more": True}}  # fmt: skip
    state = GAME.positions.decode_position(build_midgame({"deck": [], "hand": []}, theirs))
    seen: dict[str, set[str]] = {"C1/1:1": set(), "C2/1:1": set(), "C3/1:1": set()}
    for other in worlds(state, Seat(0), 40):
        assert other.paid == state.paid
        for place, cards in seen.items():
            card = other.card_at(place)
            assert not face_of(card).is_creature
            assert face_of(card).cost in (-1, state.paid[place])
            cards.add(card)
    assert all(len(cards) > 1 for cards in seen.values())


@pytest.mark.clause("CC-FORMAT-LEAGUE-1", "CC-AMB-7")
def test_the_own_list_is_kept_and_the_hidden_list_says_what_is_in_the_deck() -> None:
    setup = GAME.complete_setup(Setup("league", 2))
    turns = list(random_match("creature_crush", setup, 2, most=3000))
    state = turns[min(60, len(turns) - 1)].after
    assert set(state.lists) == {"0", "1"}
    changed = 0
    for other in worlds(state, Seat(0), 20):
        assert other.lists["0"] == state.lists["0"]
        assert sorted(other.cards_at(DECKS[0])) == sorted(state.cards_at(DECKS[0]))
        for seat, listed in other.lists.items():
            lying = [card for place, cards in other.zones.items() if place != "pool:" for card in cards]
            own = {strip_copy_number(card) for card in lying if card.endswith(f"#{int(seat) + 1}")}
            assert own == set(listed)
        changed += other.lists["1"] != state.lists["1"]
    assert changed == 20


@pytest.mark.clause("CC-FORMAT-ARENA-1")
def test_what_the_other_keeps_in_the_draft_is_among_what_was_drawn() -> None:
    setup = GAME.complete_setup(Setup("arena", 2))
    sealed = [turn.after for turn in random_match("creature_crush", setup, 3)
              if turn.after.agenda and getattr(turn.after.agenda[-1], "given", None)]  # fmt: skip
    assert sealed
    for state in sealed:
        (who,) = state.agenda[-1].given
        for other in worlds(state, Seat(1 - int(who)), 5):
            kept = other.agenda[-1].given[who]
            assert set(kept) <= set(other.cards_at(DRAFTS[int(who)]))
            assert sorted(other.cards_at(DECKS[1 - int(who)])) == sorted(state.cards_at(DECKS[1 - int(who)]))


@pytest.mark.clause("CC-FORMAT-LEAGUE-1")
def test_a_deck_that_the_other_has_brought_unseen_may_be_any() -> None:
    setup = GAME.complete_setup(Setup("league", 2))
    sealed = next(turn.after for turn in random_match("creature_crush", setup, 5))
    (who,) = sealed.agenda[-1].given
    found = {other.agenda[-1].given[who] for other in worlds(sealed, Seat(1 - int(who)), 5)}
    assert len(found) == 5
    assert all(len(set(cards)) == 20 for cards in found)
    brought = sealed.agenda[-1].given[who]
    assert {other.agenda[-1].given[who] for other in worlds(sealed, Seat(int(who)), 3)} == {brought}


@pytest.mark.clause("KERNEL-CENSUS-1")
def test_every_back_in_a_hand_is_named_and_what_lies_open_stays() -> None:
    state = GAME.positions.decode_position(
        build_midgame({"list": DECK_LIST}, {"hand": ["hex_toad", "?", "?"]}, variant="league")
    )
    for other in worlds(state, Seat(0), 10):
        assert not any(map(is_back, other.cards_at(HANDS[1])))
        assert other.cards_at(HELLS[1]) == state.cards_at(HELLS[1])
        assert other.lists["0"] == state.lists["0"]

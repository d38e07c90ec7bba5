"""Combats with random hands, items and towns, played at random with much interference: what must hold at every step."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from referee.engine.codec import decode_named, encode
from referee.engine.events import Move, apply_events
from referee.engine.prompts import TimedOut
from referee.engine.referee import (
    draw_chance_move,
    find_legal_moves,
    find_timeout_move,
    judge_candidates,
    judge_move,
    play_move,
    seats_that_may_act,
    seats_that_must_act,
)
from referee.engine.seats import CHANCE, CLOCK, Seat
from referee.engine.steps import Step
from referee.games.munchkin.components import COMBAT, FACES, PRINTED
from referee.games.munchkin.moves import AskHelp, OfferTrade, WithdrawTrade
from referee.games.munchkin.moves import CounterOffer as CounterOffer
from referee.games.munchkin.rules.combat.fighting import Fight
from referee.games.munchkin.rules.combat.helping import must_helper_leave
from referee.games.munchkin.rules.items.claiming import ClaimWindow
from referee.games.munchkin.state import Table
from referee.games.munchkin.values import NOBODY
from tests.games.munchkin.combats import fighting
from tests.games.munchkin.given import everything

PLAYED = ("enhancer", "wandering_monster", "door_special", "one_shot", "go_up_a_level", "curse", "monster", "ride")
MOST = 400  # moves of one combat
IDLE = (OfferTrade, WithdrawTrade)  # they lead nowhere


class Cards:
    """The box in random order, from which a table is laid."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.left = [card for card, count in PRINTED.whole.items() for _ in range(count)]
        chance.shuffle(self.left)

    def take(self, count: int, *kinds: str) -> tuple[str, ...]:
        """So many cards of these kinds, as far as there are any."""
        found = [card for card in self.left if FACES[card].kind in kinds][:count]
        for card in found:
            self.left.remove(card)
        return tuple(found)

    def worn(self) -> tuple[str, ...]:
        """A few items that anyone can use, one for each slot."""
        chosen: dict[str, str] = {}
        for card in self.left:
            face = FACES[card]
            if face.kind == "item" and not face.big and face.requires is None and self.chance.random() < 0.3:
                chosen.setdefault(face.slot, card)
        for card in chosen.values():
            self.left.remove(card)
        return tuple(chosen.values())


def dealt(chance: Random) -> Table:
    """A combat that has just begun."""
    cards, seats = Cards(chance), range(chance.choice((3, 4, 5)))
    foes = cards.take(chance.choice((1, 1, 2, 3)), "monster")
    return fighting(
        *(cards.take(chance.choice((4, 6, 8)), *PLAYED) for _ in seats),
        foes=foes,
        items={seat: cards.worn() for seat in seats},
        towns={seat: cards.take(chance.choice((0, 1)), "citizenship") for seat in seats},
        rides={seat: cards.take(chance.choice((0, 1)), "ride") for seat in seats if chance.random() < 0.3},
        levels=[chance.choice((1, 2, 4, 5, 7, 8, 9)) for _ in seats],
        rules={
            "turn_timeout_ms": 60_000, "window_after_removal": chance.random() < 0.2,
            "ride_sacrifice": chance.random() < 0.3,
        },
    )  # fmt: skip


def bargained(state: Table, seat: Seat, move: Move, chance: Random) -> Move:
    """The same move of help, mostly with richer terms."""
    if not isinstance(move, AskHelp | CounterOffer) or chance.random() < 0.4:
        return move
    count = chance.choice((0, 1, 2, 3))
    picks = chance.sample(["helper"] * count + ["main"] * 2, count + 2) if count and chance.random() < 0.5 else []
    items = tuple(item for item in state.items_of(state.running_combat.main) if chance.random() < 0.5)
    whom = {"seat": move.seat} if isinstance(move, AskHelp) else {}
    richer = type(move)(treasures=count, picks=tuple(picks), items=items, **whom)
    return richer if judge_move(state, seat, richer).granted else move


def moved(state: Table, chance: Random) -> tuple[Seat, Move]:
    """What somebody does: chance, the clock, whoever is asked, and often enough somebody else."""
    waiting = seats_that_must_act(state)
    if CHANCE in waiting:
        return CHANCE, draw_chance_move(state, chance.randrange)
    if CLOCK in waiting and chance.random() < 0.05:
        return CLOCK, TimedOut()
    others = sorted(seat for seat in seats_that_may_act(state) - waiting if seat >= 0)
    for seat in chance.sample(others, len(others)) if chance.random() < 0.4 else []:
        if found := _of_some_kind(state, seat, chance):
            return seat, found
    seat = chance.choice(sorted(seat for seat in waiting if seat >= 0))
    found = _of_some_kind(state, seat, chance)
    assert found is not None, "who is asked can answer"
    return seat, found


def _of_some_kind(state: Table, seat: Seat, chance: Random) -> Move | None:
    kinds: dict[str, list[Move]] = {}
    for move in find_legal_moves(state, seat):
        if not isinstance(move, IDLE):
            kinds.setdefault(move.TAG, []).append(move)
    if not kinds:
        return None
    return bargained(state, seat, chance.choice(kinds[chance.choice(sorted(kinds))]), chance)


def holds_together(state: Table) -> None:
    """No card is lost, levels stay within their bounds, and what lies in the combat is what fights in it."""
    assert everything(state) == Counter(PRINTED.whole)
    assert all(1 <= level <= 9 for seat, level in enumerate(state.levels) if seat != state.winner)
    top = state.agenda[-1] if state.agenda else None
    if top is not None:
        assert decode_named(encode(top), Step) == top
    if isinstance(top, Fight | ClaimWindow):
        combat = state.running_combat
        assert not must_helper_leave(state)
        assert {card for foe in combat.foes for card in (foe.card, *foe.enhancers)} <= set(state.cards_at(COMBAT))
        assert (combat.asked == NOBODY) == (combat.offer is None)
        assert combat.asked == NOBODY or combat.main in (combat.asked, combat.offered_by)


def is_judged_alike(state: Table) -> None:
    """Each listed move and near miss is judged on the table as it is in the seat's view; who is late has a step."""
    for seat in sorted(seats_that_may_act(state)):
        for move, ruling in judge_candidates(state, seat) if seat >= 0 else ():
            found = judge_move(state, seat, move)
            assert found.granted if ruling is None else found == ruling, (seat, move)
    for seat in seats_that_must_act(state):
        assert seat < 0 or find_timeout_move(state, seat, guess=False) is not None


@pytest.mark.clause("MK-2.1", "MK-3.2", "MK-3.5", "MK-10.6", "MK-13.1", "MK-13.10", "MK-23.1", "MK-23.2")
@pytest.mark.parametrize("seed", range(40))
def test_a_random_combat_holds_together_and_ends(seed: int) -> None:
    chance = Random(seed)
    state = dealt(chance)
    for count in range(MOST):
        if state.combat is None or not state.agenda:
            break
        holds_together(state)
        if count % 8 == 0:
            is_judged_alike(state)
        state = apply_events(state, play_move(state, *moved(state, chance)))
    else:
        pytest.fail("the combat does not end")
    holds_together(state)

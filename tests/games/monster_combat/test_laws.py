"""The laws on random matches with every setting, and with bots among real cards (the usual ones: every game's test)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from referee.engine.codec import decode, decode_named, encode
from referee.engine.events import Event, Move, fold
from referee.engine.game import Setup
from referee.engine.referee import awaited, considered, drawn, heard, judge, legal, play, settle, view
from referee.engine.seats import BYSTANDER, CHANCE, Seat
from referee.engine.zones import census
from referee.games.monster_combat import GAME
from referee.games.monster_combat.components import box, event_cards, playing_cards
from referee.games.monster_combat.state import EVENTS, TRAY, Table
from tests.games.matches import Turned

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "V1": [
        {"trigger_mode": mode, "trigger_count": count, "event_copies": copies}
        for mode, count, copies in product(("marked_backs", "extra_cards"), (0, 33, 57), ("equal", "hard"))
    ],
    "V2": [
        {"event_copies": copies, "v2_immunity_until": until, "first_player": 1}
        for copies, until in product(("equal", "hard"), ("own_next_turn_start", "own_next_event_checked"))
    ],
}
SETUPS = [
    Setup(variant, 2 + number % 6, settings, {"deck": source}, named)
    for variant, options in OPTIONS.items()
    for number, settings in enumerate(options)
    for source, named in (("server", ()), ("table", ()), ("table", (1,)), ("table", (0, 1)))
]


def name(setup: Setup) -> str:
    """What tells this setup from the others."""
    said = [setup.variant, setup.seats, *setup.settings.values(), *setup.chance.values(), *setup.named]
    return "-".join(map(str, said))


def honest(state: Table, seat: Seat) -> list[Move]:
    """The legal moves of a seat that name no card which must lie elsewhere: what a player with real cards can do."""
    names: Counter[str] = census(box(state.rules), state)
    free = {card for card in names if names[card] > 0} | set(state.hand(seat))
    return [move for move in legal(state, seat) if named_by(move) <= free]


def named_by(move: Move) -> set[str]:
    """The cards that a move names."""
    return {*getattr(move, "cards", ()), *([move.card] if hasattr(move, "card") else [])}


def match(setup: Setup, seed: int) -> Iterator[Turned]:
    """A random match in which chance answers as this table may have it: names of hands that are read, else backs."""
    dice = random.Random(seed)
    state = fold(opened := GAME.open(setup), settle(opened))
    for _ in range(6000):
        if GAME.outcome(state) is not None:
            return
        seat = min(awaited(state))
        move = drawn(state, dice.randrange) if seat == CHANCE else dice.choice(honest(state, seat))
        facts = play(state, seat, move)
        after = fold(state, facts)
        yield Turned(state, seat, move, facts, after)
        state = after
    raise AssertionError("the match did not end")


def lies_right(state: Table) -> None:
    """No card has appeared or vanished, and none lies where it does not belong."""
    events = len(state.place(EVENTS)) + len(state.place(TRAY))
    assert events == sum(event_cards(state.rules).values())
    assert sum(map(len, state.zones.values())) - events == sum(playing_cards(state.rules).values())
    assert min(census(box(state.rules), state).values()) >= 0


def looks_alike(setup: Setup, before: Table, facts: tuple[Event, ...], after: Table, dice: random.Random) -> None:
    """Facts seen lead to the table seen, and what is hidden makes no difference."""
    for seat in (*map(Seat, range(setup.seats)), BYSTANDER):
        assert fold(view(before, seat), [fact.seen_by(seat) for fact in facts]) == view(after, seat)
        other = GAME.otherwise(after, seat, lambda cards: dice.sample(cards, len(cards)))
        assert view(other, seat) == view(after, seat)
        assert (awaited(other), heard(other)) == (awaited(after), heard(after))
        if seat in awaited(after):
            assert list(considered(other, seat)) == list(considered(after, seat))
            for move, against in considered(after, seat):
                assert judge(after, seat, move).granted == (against is None)
            assert next(legal(after, seat), None) is not None


@pytest.mark.parametrize("setup", SETUPS, ids=name)
def test_the_laws_hold_with_every_setting(setup: Setup) -> None:
    dice, moves = random.Random(1), 0
    filled = GAME.set_up(setup)
    for turn in match(filled, 4):
        moves += 1
        lies_right(turn.after)
        if moves % 4 == 0:
            looks_alike(filled, turn.before, turn.facts, turn.after, dice)
            assert decode(Table, encode(turn.after)) == turn.after
            assert all(decode_named(encode(fact), Event) == fact for fact in turn.facts)
            for seen in (turn.after, view(turn.after, Seat(0)), view(turn.after, BYSTANDER)):
                assert GAME.position(GAME.written(seen)) == seen
            assert GAME.census(GAME.written(turn.after))["possible"]
    assert moves > 5


def test_what_a_seat_is_told_names_no_card_it_may_not_know() -> None:
    setup = GAME.set_up(Setup("V1", 3, {}, {"deck": "table"}, (1,)))
    hidden: Counter[str] = Counter()
    for turn in match(setup, 2):
        if turn.seat == CHANCE and turn.move.TAG == "mc.drawn":
            seen = turn.move.seen_by(2, CHANCE)
            assert seen is not None
            hidden[str(all(card.startswith("?") for card in seen.cards))] += 1  # type: ignore[attr-defined]
    assert set(hidden) == {"True"}

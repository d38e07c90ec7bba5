"""The laws on random matches with every setting, and with bots among real cards (the usual ones: every game's test)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from referee.engine.codec import decode, decode_named, encode
from referee.engine.events import Event, Move, apply_events
from referee.engine.game import Setup
from referee.engine.referee import (
    build_view,
    draw_chance_move,
    find_legal_moves,
    judge_candidates,
    judge_move,
    play_move,
    resolve_pending_steps,
    seats_that_may_act,
    seats_that_must_act,
)
from referee.engine.seats import BYSTANDER, CHANCE, Seat
from referee.games.monster_combat import GAME
from referee.games.monster_combat.components import list_event_cards, list_playing_cards
from referee.games.monster_combat.rules.naming import count_unnamed_names
from referee.games.monster_combat.state import EVENTS, TRAY, Table
from tests.games.matches import Turned

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "V1": [
        {"trigger_mode": mode, "trigger_count": count, "event_copies": copies}
        for mode, count, copies in product(("marked_backs", "extra_cards"), (0, 33, 57), ("equal", "hard"))
    ]
    + [{"trigger_backs": "not_counted"}, {"trigger_backs": {"sword": 3, "shield": 4}}],
    "V2": [
        {"event_copies": copies, "v2_immunity_until": until, "first_player": 1}
        for copies, until in product(("equal", "hard"), ("own_next_turn_start", "own_next_event_checked"))
    ]
    + [{"trigger_backs": "not_counted"}],
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
    names: Counter[str] = count_unnamed_names(state.rules, state)
    free = {card for card in names if names[card] > 0} | set(state.cards_in_hand(seat))
    return [move for move in find_legal_moves(state, seat) if named_by(move) <= free]


def named_by(move: Move) -> set[str]:
    """The cards that a move names."""
    return {*getattr(move, "cards", ()), *([move.card] if hasattr(move, "card") else [])}


def match(setup: Setup, seed: int) -> Iterator[Turned]:
    """A random match in which chance answers as this table may have it: names of hands that are read, else backs."""
    dice = random.Random(seed)
    state = apply_events(opened := GAME.build_table(setup), resolve_pending_steps(opened))
    for _ in range(6000):
        if GAME.find_outcome(state) is not None:
            return
        seat = min(seats_that_must_act(state))
        move = draw_chance_move(state, dice.randrange) if seat == CHANCE else dice.choice(honest(state, seat))
        events = play_move(state, seat, move)
        after = apply_events(state, events)
        yield Turned(state, seat, move, events, after)
        state = after
    raise AssertionError("the match did not end")


def lies_right(state: Table) -> None:
    """No card has appeared or vanished, and none lies where it does not belong."""
    events = len(state.cards_at(EVENTS)) + len(state.cards_at(TRAY))
    assert events == sum(list_event_cards(state.rules).values())
    assert sum(map(len, state.zones.values())) - events == sum(list_playing_cards(state.rules).values())
    assert min(count_unnamed_names(state.rules, state).values()) >= 0


def looks_alike(setup: Setup, before: Table, events: tuple[Event, ...], after: Table, dice: random.Random) -> None:
    """Facts seen lead to the table seen, and what is hidden makes no difference."""
    for seat in (*map(Seat, range(setup.seats)), BYSTANDER):
        assert apply_events(build_view(before, seat), [event.view_for(seat) for event in events]) == build_view(
            after, seat
        )
        other = GAME.tracking.determinize(after, seat, dice.randrange)
        assert build_view(other, seat) == build_view(after, seat)
        assert (seats_that_must_act(other), seats_that_may_act(other)) == (
            seats_that_must_act(after),
            seats_that_may_act(after),
        )
        if seat in seats_that_must_act(after):
            assert list(judge_candidates(other, seat)) == list(judge_candidates(after, seat))
            for move, against in judge_candidates(after, seat):
                assert judge_move(after, seat, move).granted == (against is None)
            assert next(find_legal_moves(after, seat), None) is not None


# the quick run takes each way of dealing in turn, one for each combination of settings
WAYS = 4
CASES = [
    pytest.param(setup, id=name(setup), marks=() if at % WAYS == at // WAYS % WAYS else pytest.mark.deep)
    for at, setup in enumerate(SETUPS)
]


@pytest.mark.parametrize("setup", CASES)
def test_the_laws_hold_with_every_setting(setup: Setup) -> None:
    dice, moves = random.Random(1), 0
    filled = GAME.complete_setup(setup)
    for turn in match(filled, 4):
        moves += 1
        lies_right(turn.after)
        if moves % 4 == 0:
            looks_alike(filled, turn.before, turn.events, turn.after, dice)
            assert decode(Table, encode(turn.after)) == turn.after
            assert all(decode_named(encode(event), Event) == event for event in turn.events)
            for seen in (turn.after, build_view(turn.after, Seat(0)), build_view(turn.after, BYSTANDER)):
                assert GAME.positions.decode_position(GAME.positions.encode_position(seen)) == seen
            assert GAME.positions.check_census(GAME.positions.encode_position(turn.after))["possible"]
    assert moves > 5


def test_what_a_seat_is_told_names_no_card_it_may_not_know() -> None:
    setup = GAME.complete_setup(Setup("V1", 3, {}, {"deck": "table"}, (1,)))
    hidden: Counter[str] = Counter()
    for turn in match(setup, 2):
        if turn.seat == CHANCE and turn.move.TAG == "mc.drawn":
            seen = turn.move.view_for(2, CHANCE)
            assert seen is not None
            hidden[str(all(card.startswith("?") for card in seen.cards))] += 1  # type: ignore[attr-defined]
    assert set(hidden) == {"True"}

"""Greedy bots in Here to Slay: when they challenge, push a roll, attack, and end a turn that wins."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from referee.bots.policy import choose_greedy_move
from referee.engine.events import Move, replace_fields
from referee.engine.game import Setup
from referee.engine.seats import Seat
from referee.games.here_to_slay import GAME
from referee.games.here_to_slay.components import CLASSES, FACES, HANDS, PARTIES
from referee.games.here_to_slay.evaluation import prices
from referee.games.here_to_slay.moves import Attack, Challenge, EndTurn, Modify, Pass
from referee.games.here_to_slay.rules.playing import ChallengeWindow
from referee.games.here_to_slay.rules.rolling import ModifierWindow, find_open_rolls
from referee.games.here_to_slay.rules.turn import Turn
from referee.games.here_to_slay.state import Table, item_place_of
from referee.games.here_to_slay.values import DiceRoll
from tests.games.matches import random_match


def asked(seats: int, step: type[Any], seed: int = 1) -> Iterator[tuple[Any, Seat]]:
    """The positions of a random match in which this is asked, with whoever answered."""
    setup = GAME.complete_setup(Setup("standard", seats))
    for turned in random_match("here_to_slay", setup, seed):
        if turned.seat >= 0 and isinstance(turned.before.agenda[-1], step):
            yield turned.before, turned.seat


def choice(table: Table, seat: int) -> Move | None:
    """What a greedy bot does there."""
    return choose_greedy_move(table, Seat(seat), random.Random(3).randrange)


def gathered(table: Table, seat: int, but: str) -> Table:
    """The same table, with a hero of every class but one in that party, without items."""
    heroes = {FACES[card].class_: card for card in FACES if FACES[card].kind == "hero"}
    party = tuple(hero for class_, hero in heroes.items() if class_ != but)
    zones = {place: cards for place, cards in table.zones.items() if not place.startswith("under/")}
    for other in range(table.rules.seats):
        zones[PARTIES[other]] = ()
    zones |= {PARTIES[seat]: party, **{item_place_of(hero): () for hero in party}}
    return replace_fields(table, zones=zones)


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_a_hero_that_would_win_is_challenged_by_whoever_can(seats: int) -> None:
    met = 0
    for table, seat in asked(seats, ChallengeWindow):
        top = table.agenda[-1]
        face, leader = FACES[top.card], table.leader_of(top.seat)
        if face.kind != "hero" or (leader and FACES[leader].class_ == face.class_):
            continue
        close = gathered(table, top.seat, face.class_)
        armed = replace_fields(close, zones={**close.zones, HANDS[seat]: ("challenge", "modifier_plus_4")})
        assert choice(armed, seat) == Challenge()
        bare = replace_fields(close, zones={**close.zones, HANDS[seat]: ("modifier_plus_4",)})
        assert choice(bare, seat) == Pass()
        met += 1
    assert met > 3


def test_among_many_an_item_is_not_worth_a_challenge() -> None:
    met = 0
    for table, seat in asked(6, ChallengeWindow, seed=2):
        if FACES[table.agenda[-1].card].kind in ("item", "cursed_item"):
            armed = replace_fields(table, zones={**table.zones, HANDS[seat]: ("challenge",)})
            assert choice(armed, seat) == Pass()
            met += 1
    assert met > 3


def stands(table: Table, casts: tuple[DiceRoll, ...], plus: dict[int, int]) -> Any:
    """How the open rolls come out as they stand, with something added by roller."""
    totals = [table.compute_roll_total(cast) + plus.get(cast.seat, 0) for cast in casts]
    if len(casts) == 2:
        return totals[0] >= totals[1]
    face = FACES[casts[0].about]
    if casts[0].kind == "hero":
        return face.roll.contains_total(totals[0])
    return face.slay.contains_total(totals[0]), face.fight_back.contains_total(totals[0])


def test_modifiers_are_played_only_where_they_turn_a_roll() -> None:
    made: Counter[str] = Counter()
    for seats in (2, 4):
        for table, seat in asked(seats, ModifierWindow, seed=3):
            armed = replace_fields(
                table,
                zones={**table.zones, HANDS[seat]: ("modifier_plus_4", "modifier_plus_2_minus_2", "modifier_minus_4")},
            )
            move, casts = choice(armed, seat), find_open_rolls(table)
            made[type(move).__name__] += 1
            if isinstance(move, Modify):
                assert stands(armed, casts, {}) != stands(armed, casts, {move.roller: move.value})
    assert made["Modify"] > 5
    assert made["Pass"] > 20


def test_the_turn_is_ended_with_six_classes_together() -> None:
    met = 0
    for table, seat in asked(3, Turn):
        leader = table.leader_of(seat)
        whole = gathered(table, seat, FACES[leader].class_ if leader else "")
        assert whole.classes_of(seat) >= set(CLASSES)
        assert choice(replace_fields(whole, points=1), seat) == EndTurn()
        met += 1
    assert met > 10


def test_what_is_attacked_is_more_likely_slain_than_not_worth_it() -> None:
    met = 0
    for table, seat in asked(2, Turn, seed=4):
        leader = table.leader_of(seat)
        strong = replace_fields(gathered(table, seat, FACES[leader].class_ if leader else ""), points=3)
        lacking = replace_fields(strong, zones={**strong.zones, PARTIES[seat]: strong.party_of(seat)[:4]})
        if len(lacking.classes_of(seat) & set(CLASSES)) == 6:
            continue
        move = choice(replace_fields(lacking, zones={**lacking.zones, HANDS[seat]: ()}), seat)
        if isinstance(move, Attack):
            face = FACES[move.monster]
            plus = lacking.compute_roll_total(DiceRoll("attack", seat, move.monster))
            assert prices.compute_span_chance(face.slay, plus) >= 100
            met += 1
    assert met > 3

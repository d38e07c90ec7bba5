"""Phase 3, playing a card, and what each playing card does (chapters 5 and 6).

Clauses: MC-TURN-PLAY-1, MC-V1-SWORD-1, MC-V2-SWORD-1, MC-V2-LIGHTNING-1, MC-V1-LIFE-1, MC-V2-LIFE-1, MC-V2-LIFE-2,
MC-V1-SKIP-1, MC-V2-SKIP-1, MC-V2-SKIP-2, MC-V1-THIEF-1, MC-V1-THIEF-2, MC-V2-THIEF-1, MC-SHIELD-2, MC-AMB-8,
MC-AMB-8-R2, MC-AMB-12, MC-AMB-19, MC-AMB-27.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.prompts import Ask
from referee.engine.rulings import Refused
from referee.engine.seats import Seat
from referee.engine.steps import Closed, Opened
from referee.games.monster_combat.components import HITS, MAGNETS, design
from referee.games.monster_combat.events import CardPlayed, HeartRegained, Revived, TurnTaken, Unaffected
from referee.games.monster_combat.monster_events import MonsterAsleep, MonsterHit
from referee.games.monster_combat.moves import Pass, PlayCard, ReviveDraw
from referee.games.monster_combat.rules.attacks import attacked, lightning
from referee.games.monster_combat.rules.drawing import Draw
from referee.games.monster_combat.rules.monsters import MonsterCheck
from referee.games.monster_combat.rules.naming import check_names, could_give, what_leaves
from referee.games.monster_combat.rules.theft import Theft
from referee.games.monster_combat.state import DEALT, DISCARD, FULL, HANDS, NOBODY, Table


@named("mc.PlayPhase")
@dataclass(frozen=True)
class PlayPhase(Ask):
    """Phase 3: play a card or none (MC-TURN-PLAY-1, MC-TURN-1); whoever the event has defeated has none (MC-AMB-19)."""

    clauses: ClassVar[tuple[str, ...]] = ("MC-TURN-PLAY-1", "MC-TURN-1")

    def awaits(self, state: Table) -> frozenset[Seat]:
        return frozenset() if state.hearts[self.seat] == 0 else frozenset({Seat(self.seat)})

    def when_late(self, state: Table, seat: Seat) -> Move:
        return Pass()  # MC-AMB-27

    def candidates(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield Pass()
        for card in could_give(state, self.seat):
            if state.rules.against_monsters and design(card) == "life_back":
                yield from (PlayCard(card, other) for other in state.seats)
            else:
                yield PlayCard(card)

    def check(self, state: Table, seat: Seat, move: Move) -> None:
        if isinstance(move, Pass):
            return
        if not isinstance(move, PlayCard):
            raise Refused("play_or_pass", "MC-TURN-PLAY-1", move=move.TAG)
        check_names(state, self.seat, (move.card,), seat, "MC-TURN-PLAY-1")
        check_use(state, self.seat, move)

    def _meant(self, move: PlayCard) -> int:
        """Whose heart a life-back card is to fill."""
        return self.seat if move.target is None else move.target

    def decide(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, PlayCard):
            effect, rules = EFFECTS[state.rules.variant, design(move.card)]
            if design(move.card) == "life_back" and in_vain(state, self._meant(move)):
                rules = (*rules, "MC-AMB-8")
            took = what_leaves(state, self.seat, (move.card,))
            yield CardPlayed(HANDS[self.seat], DISCARD, took, (move.card,), self.seat, rules)
            yield Closed()
            yield from effect(state, self.seat, move)
        else:
            yield Closed()


def check_use(table: Table, seat: int, move: PlayCard) -> None:
    """Raises Refused if what the card does cannot happen, or if it is aimed where it cannot go (MC-AMB-8)."""
    card, useless = design(move.card), table.reading("MC-AMB-8") == 2  # MC-AMB-8-R2: what does nothing may be played
    if card == "shield":
        raise Refused("shield_only_answers", "MC-SHIELD-1", "MC-SHIELD-2", "MC-AMB-8", card=move.card)
    if card == "trigger":
        raise Refused("card_without_a_face", "MC-AMB-1", "MC-AMB-8", card=move.card)
    if card == "life_back" and table.rules.against_monsters:
        if move.target is None and not useless and all(hearts == FULL for hearts in table.hearts):
            raise Refused("nobody_lacks_a_heart", "MC-V2-LIFE-1", "MC-TERM-8", "MC-AMB-8", card=move.card)
        if move.target is None:
            raise Refused("whose_heart", "MC-V2-LIFE-1", card=move.card)
        if move.target not in table.seats:
            raise Refused("no_such_seat", "MC-MAT-5", seat=move.target, seats=table.rules.seats)
        if not useless and table.hearts_of(move.target) >= FULL:
            raise Refused("no_empty_heart", "MC-V2-LIFE-1", "MC-TERM-8", "MC-AMB-8", seat=move.target)
        return
    if move.target is not None:
        if table.rules.against_monsters and card in HITS:
            raise Refused("attacks_go_against_the_monster", "MC-V2-SWORD-1", card=move.card)
        raise Refused("card_is_not_aimed", "MC-TURN-PLAY-1", card=move.card)
    if card == "life_back" and not useless and table.hearts_of(seat) >= FULL:
        raise Refused("no_empty_heart", "MC-V1-LIFE-1", "MC-TERM-8", "MC-AMB-8", seat=seat)


def in_vain(table: Table, seat: int) -> bool:
    """Whether a life-back card may be played for a player without an empty heart, and does nothing (MC-AMB-8-R2)."""
    return table.reading("MC-AMB-8") == 2 and table.hearts_of(seat) >= FULL


# ---- what the cards do: everyone against everyone ------------------------------------------------------------


def sword(table: Table, seat: int, move: PlayCard) -> Iterator[Event]:
    """The next player is attacked (MC-V1-SWORD-1, MC-AMB-12)."""
    target = table.next_living(seat)
    if table.is_immune(target):
        yield Unaffected(target, move.card)
    else:
        yield from attacked(target, 1, "sword")


def strike_all(table: Table, seat: int, _move: PlayCard) -> Iterator[Event]:
    """Everyone else is attacked (MC-V1-LIGHTNING-1)."""
    yield from lightning(table, seat)


def own_heart(table: Table, seat: int, _move: PlayCard) -> Iterator[Event]:
    """An own empty heart is full again, if there is one (MC-V1-LIFE-1, MC-AMB-8-R2)."""
    if not in_vain(table, seat):
        yield HeartRegained(seat)


def take_turn(table: Table, seat: int, move: PlayCard) -> Iterator[Event]:
    """The next player misses the coming turn (MC-V1-SKIP-1, MC-AMB-12)."""
    target = table.next_living(seat)
    yield Unaffected(target, move.card) if table.is_immune(target) else TurnTaken(target)


def steal(table: Table, seat: int, move: PlayCard) -> Iterator[Event]:
    """Cards come from the next hand, those it lacks from the pile (MC-V1-THIEF-1, MC-V1-THIEF-2, MC-AMB-12)."""
    target = table.next_living(seat)
    if table.is_immune(target):
        yield Unaffected(target, move.card)
        return
    wanted = MAGNETS[design(move.card)]
    there = min(wanted, table.hand_size(target))
    if there < wanted:
        yield Opened(Draw(seat, wanted - there, spare=1))
    if there:
        yield Opened(Theft(target, seat, there))


# ---- what the cards do: all against the monsters -------------------------------------------------------------


def hit(table: Table, _seat: int, move: PlayCard) -> Iterator[Event]:
    """The active monster loses hearts, twice as many asleep (MC-V2-SWORD-1, MC-V2-LIGHTNING-1, MC-V2-SKIP-2)."""
    force = HITS[design(move.card)] * (2 if table.asleep() else 1)
    yield MonsterHit(table.monster_number(), min(force, table.monster_left()))
    yield Opened(MonsterCheck())


def any_heart(table: Table, _seat: int, move: PlayCard) -> Iterator[Event]:
    """An empty heart of any player is full again, which may bring them back (MC-V2-LIFE-1, MC-V2-LIFE-2); if there is
    none, nothing happens (MC-AMB-8-R2)."""
    target = NOBODY if move.target is None else move.target
    if in_vain(table, target):
        return
    back_in_play = not table.lives(target)
    yield HeartRegained(target)
    if back_in_play:
        yield Revived(target)
        yield Opened(RefillHand(target))


def lull(_table: Table, seat: int, _move: PlayCard) -> Iterator[Event]:
    """The active monster sleeps for a round, counted from now (MC-V2-SKIP-1, MC-AMB-14)."""
    yield MonsterAsleep(seat)


def draw_more(_table: Table, seat: int, move: PlayCard) -> Iterator[Event]:
    """The active player draws a card for each magnet (MC-V2-THIEF-1)."""
    yield Opened(Draw(seat, MAGNETS[design(move.card)], spare=1))


Effect = Callable[[Table, int, PlayCard], Iterator[Event]]
EFFECTS: dict[tuple[str, str], tuple[Effect, tuple[str, ...]]] = {  # what a card does, and the clauses that say so
    ("V1", "sword"): (sword, ("MC-V1-SWORD-1",)),
    ("V1", "lightning"): (strike_all, ("MC-V1-LIGHTNING-1", "MC-V1-LIGHTNING-2")),
    ("V1", "life_back"): (own_heart, ("MC-V1-LIFE-1",)),
    ("V1", "skip"): (take_turn, ("MC-V1-SKIP-1",)),
    ("V1", "thief_1"): (steal, ("MC-V1-THIEF-1", "MC-V1-THIEF-2")),
    ("V1", "thief_2"): (steal, ("MC-V1-THIEF-1", "MC-V1-THIEF-2")),
    ("V2", "sword"): (hit, ("MC-V2-SWORD-1", "MC-V2-SKIP-2")),
    ("V2", "lightning"): (hit, ("MC-V2-LIGHTNING-1", "MC-V2-SKIP-2")),
    ("V2", "life_back"): (any_heart, ("MC-V2-LIFE-1",)),
    ("V2", "skip"): (lull, ("MC-V2-SKIP-1",)),
    ("V2", "thief_1"): (draw_more, ("MC-V2-THIEF-1",)),
    ("V2", "thief_2"): (draw_more, ("MC-V2-THIEF-1",)),
}


@named("mc.RefillHand")
@dataclass(frozen=True)
class RefillHand(Ask):
    """Whoever was revived may draw five cards, and does so at once or not at all (MC-V2-LIFE-2, MC-AMB-18)."""

    clauses: ClassVar[tuple[str, ...]] = ("MC-V2-LIFE-2", "MC-AMB-18")

    def when_late(self, state: Table, seat: Seat) -> Move:
        return ReviveDraw(False)  # MC-AMB-27

    def candidates(self, state: Table, seat: Seat) -> Iterable[Move]:
        return (ReviveDraw(True), ReviveDraw(False))

    def check(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, ReviveDraw):
            raise Refused("draw_or_not", "MC-V2-LIFE-2", move=move.TAG)

    def decide(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ReviveDraw)
        yield Closed()
        if move.draw:
            yield Opened(Draw(self.seat, DEALT, spare=1))

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
from referee.engine.prompts import SeatPrompt
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat
from referee.engine.steps import StepPopped, StepPushed
from referee.games.monster_combat.components import HEARTS_HIT_BY_CARD, MAGNETS_BY_CARD, design_name
from referee.games.monster_combat.events import CardPlayed, ComingTurnLost, HeartRegained, ImmunityHeld, PlayerRevived
from referee.games.monster_combat.monster_events import MonsterFellAsleep, MonsterHit
from referee.games.monster_combat.moves import Pass, PlayCard, ReviveDraw
from referee.games.monster_combat.rules.attacks import start_attack, start_lightning
from referee.games.monster_combat.rules.drawing import CardDrawing
from referee.games.monster_combat.rules.monsters import MonsterCheck
from referee.games.monster_combat.rules.naming import check_names, find_cards_leaving, list_giveable_names
from referee.games.monster_combat.rules.theft import Theft
from referee.games.monster_combat.state import DISCARD, FIRST_HAND_SIZE, FULL_HEARTS, HANDS, NOBODY, Table


@named("mc.PlayPhase")
@dataclass(frozen=True)
class PlayPhase(SeatPrompt):
    """Phase 3: play a card or none (MC-TURN-PLAY-1, MC-TURN-1); whoever the event has defeated has none (MC-AMB-19)."""

    clauses: ClassVar[tuple[str, ...]] = ("MC-TURN-PLAY-1", "MC-TURN-1")

    def awaited_seats(self, state: Table) -> frozenset[Seat]:
        return frozenset() if state.hearts[self.seat] == 0 else frozenset({Seat(self.seat)})

    def timeout_move(self, state: Table, seat: Seat) -> Move:
        return Pass()  # MC-AMB-27

    def candidate_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield Pass()
        for card in list_giveable_names(state, self.seat):
            if state.rules.is_against_monsters and design_name(card) == "life_back":
                yield from (PlayCard(card, other) for other in state.seats)
            else:
                yield PlayCard(card)

    def check_move(self, state: Table, seat: Seat, move: Move) -> None:
        if isinstance(move, Pass):
            return
        if not isinstance(move, PlayCard):
            raise IllegalMove("play_or_pass", "MC-TURN-PLAY-1", move=move.TAG)
        check_names(state, self.seat, (move.card,), seat, "MC-TURN-PLAY-1")
        check_use(state, self.seat, move)

    def _find_life_target(self, move: PlayCard) -> int:
        """Whose heart a life-back card is to fill."""
        return self.seat if move.target is None else move.target

    def decide_move(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, PlayCard):
            effect, rules = CARD_EFFECTS[state.rules.variant, design_name(move.card)]
            if design_name(move.card) == "life_back" and is_in_vain(state, self._find_life_target(move)):
                rules = (*rules, "MC-AMB-8")
            took = find_cards_leaving(state, self.seat, (move.card,))
            yield CardPlayed(HANDS[self.seat], DISCARD, took, (move.card,), self.seat, rules)
            yield StepPopped()
            yield from effect(state, self.seat, move)
        else:
            yield StepPopped()


def check_use(table: Table, seat: int, move: PlayCard) -> None:
    """Raises IllegalMove if what the card does cannot happen, or if it is aimed where it cannot go (MC-AMB-8)."""
    card, useless = (
        design_name(move.card),
        table.interpretation_number("MC-AMB-8") == 2,
    )  # MC-AMB-8-R2: what does nothing may be played
    if card == "shield":
        raise IllegalMove("shield_only_answers", "MC-SHIELD-1", "MC-SHIELD-2", "MC-AMB-8", card=move.card)
    if card == "trigger":
        raise IllegalMove("card_without_a_face", "MC-AMB-1", "MC-AMB-8", card=move.card)
    if card == "life_back" and table.rules.is_against_monsters:
        if move.target is None and not useless and all(hearts == FULL_HEARTS for hearts in table.hearts):
            raise IllegalMove("nobody_lacks_a_heart", "MC-V2-LIFE-1", "MC-TERM-8", "MC-AMB-8", card=move.card)
        if move.target is None:
            raise IllegalMove("whose_heart", "MC-V2-LIFE-1", card=move.card)
        if move.target not in table.seats:
            raise IllegalMove("no_such_seat", "MC-MAT-5", seat=move.target, seats=table.rules.seats)
        if not useless and table.hearts_of(move.target) >= FULL_HEARTS:
            raise IllegalMove("no_empty_heart", "MC-V2-LIFE-1", "MC-TERM-8", "MC-AMB-8", seat=move.target)
        return
    if move.target is not None:
        if table.rules.is_against_monsters and card in HEARTS_HIT_BY_CARD:
            raise IllegalMove("attacks_go_against_the_monster", "MC-V2-SWORD-1", card=move.card)
        raise IllegalMove("card_is_not_aimed", "MC-TURN-PLAY-1", card=move.card)
    if card == "life_back" and not useless and table.hearts_of(seat) >= FULL_HEARTS:
        raise IllegalMove("no_empty_heart", "MC-V1-LIFE-1", "MC-TERM-8", "MC-AMB-8", seat=seat)


def is_in_vain(table: Table, seat: int) -> bool:
    """Whether a life-back card may be played for a player without an empty heart, and does nothing (MC-AMB-8-R2)."""
    return table.interpretation_number("MC-AMB-8") == 2 and table.hearts_of(seat) >= FULL_HEARTS


# ---- what the cards do: everyone against everyone ------------------------------------------------------------


def play_sword(table: Table, seat: int, move: PlayCard) -> Iterator[Event]:
    """The next player is attacked (MC-V1-SWORD-1, MC-AMB-12)."""
    target = table.find_next_living(seat)
    if table.is_immune(target):
        yield ImmunityHeld(target, move.card)
    else:
        yield from start_attack(target, 1, "sword")


def play_lightning(table: Table, seat: int, _move: PlayCard) -> Iterator[Event]:
    """Everyone else is attacked (MC-V1-LIGHTNING-1)."""
    yield from start_lightning(table, seat)


def regain_own_heart(table: Table, seat: int, _move: PlayCard) -> Iterator[Event]:
    """An own empty heart is full again, if there is one (MC-V1-LIFE-1, MC-AMB-8-R2)."""
    if not is_in_vain(table, seat):
        yield HeartRegained(seat)


def skip_next_player(table: Table, seat: int, move: PlayCard) -> Iterator[Event]:
    """The next player misses the coming turn (MC-V1-SKIP-1, MC-AMB-12)."""
    target = table.find_next_living(seat)
    yield ImmunityHeld(target, move.card) if table.is_immune(target) else ComingTurnLost(target)


def steal_cards(table: Table, seat: int, move: PlayCard) -> Iterator[Event]:
    """Cards come from the next hand, those it lacks from the pile (MC-V1-THIEF-1, MC-V1-THIEF-2, MC-AMB-12)."""
    target = table.find_next_living(seat)
    if table.is_immune(target):
        yield ImmunityHeld(target, move.card)
        return
    wanted = MAGNETS_BY_CARD[design_name(move.card)]
    there = min(wanted, table.count_hand_cards(target))
    if there < wanted:
        yield StepPushed(CardDrawing(seat, wanted - there, spare=1))
    if there:
        yield StepPushed(Theft(target, seat, there))


# ---- what the cards do: all against the monsters -------------------------------------------------------------


def hit_monster(table: Table, _seat: int, move: PlayCard) -> Iterator[Event]:
    """The active monster loses hearts, twice as many asleep (MC-V2-SWORD-1, MC-V2-LIGHTNING-1, MC-V2-SKIP-2)."""
    force = HEARTS_HIT_BY_CARD[design_name(move.card)] * (2 if table.is_monster_asleep() else 1)
    yield MonsterHit(table.monster_number(), min(force, table.monster_hearts_left()))
    yield StepPushed(MonsterCheck())


def regain_any_heart(table: Table, _seat: int, move: PlayCard) -> Iterator[Event]:
    """An empty heart of any player is full again, which may bring them back (MC-V2-LIFE-1, MC-V2-LIFE-2); if there is
    none, nothing happens (MC-AMB-8-R2)."""
    target = NOBODY if move.target is None else move.target
    if is_in_vain(table, target):
        return
    back_in_play = not table.is_alive(target)
    yield HeartRegained(target)
    if back_in_play:
        yield PlayerRevived(target)
        yield StepPushed(RefillHand(target))


def put_monster_to_sleep(_table: Table, seat: int, _move: PlayCard) -> Iterator[Event]:
    """The active monster sleeps for a round, counted from now (MC-V2-SKIP-1, MC-AMB-14)."""
    yield MonsterFellAsleep(seat)


def draw_extra_cards(_table: Table, seat: int, move: PlayCard) -> Iterator[Event]:
    """The active player draws a card for each magnet (MC-V2-THIEF-1)."""
    yield StepPushed(CardDrawing(seat, MAGNETS_BY_CARD[design_name(move.card)], spare=1))


CardEffectFunction = Callable[[Table, int, PlayCard], Iterator[Event]]
CARD_EFFECTS: dict[
    tuple[str, str], tuple[CardEffectFunction, tuple[str, ...]]
] = {  # what a card does, and the clauses that say so
    ("V1", "sword"): (play_sword, ("MC-V1-SWORD-1",)),
    ("V1", "lightning"): (play_lightning, ("MC-V1-LIGHTNING-1", "MC-V1-LIGHTNING-2")),
    ("V1", "life_back"): (regain_own_heart, ("MC-V1-LIFE-1",)),
    ("V1", "skip"): (skip_next_player, ("MC-V1-SKIP-1",)),
    ("V1", "thief_1"): (steal_cards, ("MC-V1-THIEF-1", "MC-V1-THIEF-2")),
    ("V1", "thief_2"): (steal_cards, ("MC-V1-THIEF-1", "MC-V1-THIEF-2")),
    ("V2", "sword"): (hit_monster, ("MC-V2-SWORD-1", "MC-V2-SKIP-2")),
    ("V2", "lightning"): (hit_monster, ("MC-V2-LIGHTNING-1", "MC-V2-SKIP-2")),
    ("V2", "life_back"): (regain_any_heart, ("MC-V2-LIFE-1",)),
    ("V2", "skip"): (put_monster_to_sleep, ("MC-V2-SKIP-1",)),
    ("V2", "thief_1"): (draw_extra_cards, ("MC-V2-THIEF-1",)),
    ("V2", "thief_2"): (draw_extra_cards, ("MC-V2-THIEF-1",)),
}


@named("mc.RefillHand")
@dataclass(frozen=True)
class RefillHand(SeatPrompt):
    """Whoever was revived may draw five cards, and does so at once or not at all (MC-V2-LIFE-2, MC-AMB-18)."""

    clauses: ClassVar[tuple[str, ...]] = ("MC-V2-LIFE-2", "MC-AMB-18")

    def timeout_move(self, state: Table, seat: Seat) -> Move:
        return ReviveDraw(False)  # MC-AMB-27

    def candidate_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        return (ReviveDraw(True), ReviveDraw(False))

    def check_move(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, ReviveDraw):
            raise IllegalMove("draw_or_not", "MC-V2-LIFE-2", move=move.TAG)

    def decide_move(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ReviveDraw)
        yield StepPopped()
        if move.draw:
            yield StepPushed(CardDrawing(self.seat, FIRST_HAND_SIZE, spare=1))

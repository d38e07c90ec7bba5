"""Attacks on players, and the shield that answers them (chapter 6).

Whoever is attacked is asked, shield or not. Clauses: MC-V1-SWORD-1, MC-V1-LIGHTNING-1 to -3, MC-SHIELD-1 to -3,
MC-V1-EVENT-ATTACK-1, MC-V2-EVENT-ATTACK-1, MC-AMB-9, MC-AMB-10, MC-AMB-11, MC-AMB-20, MC-AMB-21,
MC-AMB-27.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.prompts import RoundPrompt, SeatPrompt
from referee.engine.rulings import IllegalMove, Undetermined
from referee.engine.seats import Seat
from referee.engine.steps import StepPopped, StepPushed, StepReplaced
from referee.games.monster_combat.components import design_name
from referee.games.monster_combat.events import AttackParried, HeartsLost, ImmunityHeld, LightningStruckBack
from referee.games.monster_combat.moves import Parry, TakeHit
from referee.games.monster_combat.rules.ending import DefeatCheck
from referee.games.monster_combat.rules.naming import check_names, find_cards_leaving, list_giveable_names
from referee.games.monster_combat.state import DISCARD, HANDS, Table


def list_answers(table: Table, seat: int) -> Iterable[Move]:
    """What someone attacked may think of: to take it, or any card of the hand."""
    yield TakeHit()
    yield from map(Parry, list_giveable_names(table, seat))


def check_attack_answer(table: Table, seat: int, move: Move) -> None:
    """Raises IllegalMove unless this answers an attack: nothing, or one shield from the hand (MC-SHIELD-1,
    MC-SHIELD-3)."""
    if isinstance(move, TakeHit):
        return
    if not isinstance(move, Parry):
        raise IllegalMove("attack_is_answered", "MC-SHIELD-1", "MC-AMB-20", move=move.TAG)
    if design_name(move.card) != "shield":
        raise IllegalMove("only_a_shield_parries", "MC-SHIELD-1", card=move.card)
    check_names(table, seat, (move.card,), seat, "MC-SHIELD-1")


def build_parry(table: Table, seat: int, card: str) -> Event:
    """The fact of a shield played against an attack."""
    source = HANDS[seat]
    return AttackParried(source, DISCARD, find_cards_leaving(table, seat, (card,)), (card,), seat)


@named("mc.Struck")
@dataclass(frozen=True)
class PendingAttack(SeatPrompt):
    """An attack on one player: by a sword, by the event, or by a monster for `strength` hearts.

    A position may leave out what attacks (`by` is None), and how strongly if it does not say which monster it is.

    One shield fends off all of it; without one no more hearts go than there are (MC-SHIELD-1, MC-AMB-9).
    """

    strength: int | None = 1
    by: str | None = "sword"
    clauses: ClassVar[tuple[str, ...]] = ("MC-SHIELD-1", "MC-SHIELD-3", "MC-AMB-9", "MC-AMB-20")
    reaction_kind: ClassVar[str] = "attack"

    def timeout_move(self, state: Table, seat: Seat) -> Move:
        return TakeHit()  # MC-AMB-27

    def candidate_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        return list_answers(state, self.seat)

    def check_move(self, state: Table, seat: Seat, move: Move) -> None:
        check_attack_answer(state, self.seat, move)

    def decide_move(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, Parry):
            yield build_parry(state, self.seat, move.card)
            yield StepPopped()
        else:
            if self.strength is None:
                raise Undetermined("which_monster")
            yield HeartsLost(self.seat, min(self.strength, state.hearts_of(self.seat)))
            yield StepReplaced(DefeatCheck(self.seat))


@named("mc.Lightning")
@dataclass(frozen=True)
class LightningAttack(RoundPrompt):
    """Lightning on everyone but `by`; `order` are those who have still to answer (MC-V1-LIGHTNING-1, -2).

    `all_parried`: so far everyone who was hit has put down a shield, and nobody was immune (MC-AMB-11); None: a
    position does not say.
    """

    by: int
    all_parried: bool | None = True
    clauses: ClassVar[tuple[str, ...]] = ("MC-V1-LIGHTNING-1", "MC-V1-LIGHTNING-2", "MC-SHIELD-1", "MC-SHIELD-3")
    reaction_kind: ClassVar[str] = "attack"

    def timeout_move(self, state: Table, seat: Seat) -> Move:
        return TakeHit()  # MC-AMB-27

    def candidate_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        return list_answers(state, seat)

    def check_move(self, state: Table, seat: Seat, move: Move) -> None:
        check_attack_answer(state, seat, move)

    def decide_move(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, Parry):
            yield build_parry(state, seat, move.card)
            yield StepReplaced(self.with_next_seat())
        else:
            yield HeartsLost(seat, 1)
            yield StepReplaced(replace(self.with_next_seat(), all_parried=False))
            yield StepPushed(DefeatCheck(seat))

    def resolve(self, state: Table) -> Iterator[Event]:
        """All have answered: it strikes back if all parried (MC-V1-LIGHTNING-3, MC-AMB-10, MC-AMB-11)."""
        if self.all_parried is None:
            raise Undetermined("have_all_parried")
        yield StepPopped()
        if self.all_parried and state.is_immune(self.by):
            yield ImmunityHeld(self.by, "lightning")
        elif self.all_parried:
            yield LightningStruckBack(self.by)
            yield HeartsLost(self.by, 1)
            yield StepPushed(DefeatCheck(self.by))


def start_lightning(table: Table, by: int) -> Iterator[Event]:
    """The facts with which lightning begins; the immune are neither hit nor asked (MC-AMB-11)."""
    others = [seat for seat in table.seats_after(by) if seat != by and table.is_alive(seat)]
    hit = tuple(seat for seat in others if not table.is_immune(seat))
    for seat in others:
        if seat not in hit:
            yield ImmunityHeld(seat, "lightning")
    yield StepPushed(LightningAttack(hit, by, len(hit) == len(others)))


def start_attack(seat: int, strength: int, by: str) -> Iterator[Event]:
    """The facts with which an attack on one player begins."""
    yield StepPushed(PendingAttack(seat, strength, by))

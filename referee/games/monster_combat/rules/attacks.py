"""Attacks on players, and the shield that answers them (chapter 6).

A player who is attacked is asked, shield or not. Clauses: MC-V1-SWORD-1, MC-V1-LIGHTNING-1 to MC-V1-LIGHTNING-3,
MC-SHIELD-1 to MC-SHIELD-3, MC-V1-EVENT-ATTACK-1, MC-V2-EVENT-ATTACK-1, MC-AMB-9, MC-AMB-10, MC-AMB-11, MC-AMB-20,
MC-AMB-21, MC-AMB-27.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.engine.codec import named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.prompts import RoundPrompt, SeatPrompt
from referee.engine.rulings import IllegalMove, NotAsked, Undetermined
from referee.engine.seats import Seat
from referee.engine.steps import StepPopped, StepPushed, StepReplaced
from referee.engine.zones import find_cards_leaving, is_back
from referee.games.monster_combat.components import design_name, list_playing_cards
from referee.games.monster_combat.events import AttackParried, HeartsLost, ImmunityHeld, LightningStruckBack
from referee.games.monster_combat.moves import Parry, TakeHit
from referee.games.monster_combat.rules.ending import DefeatCheck
from referee.games.monster_combat.rules.naming import check_names, list_giveable_names
from referee.games.monster_combat.state import DISCARD, HANDS, Table


def list_answers(table: Table, seat: int) -> Iterable[Move]:
    """Yield the answers that an attacked player may think of: none, or any card held."""
    yield TakeHit()
    yield from map(Parry, list_giveable_names(table, seat))


def check_attack_answer(table: Table, seat: int, move: Move) -> None:
    """Check that a move answers an attack: with nothing, or one shield from the hand.

    Raises IllegalMove if it does not, Undetermined if the hand is not known.

    MC-SHIELD-1: A player who is attacked may answer with a shield from the hand, even out of turn.
    MC-SHIELD-3: Nobody has to parry. One shield is enough for one whole attack.
    """
    if isinstance(move, TakeHit):
        return
    if not isinstance(move, Parry):
        raise NotAsked("attack_is_answered", "MC-SHIELD-1", "MC-AMB-20", move=move.TAG)
    if move.card not in list_playing_cards(table.rules) and not is_back(move.card):
        raise IllegalMove("not_in_the_box", "MC-MAT-2", card=move.card)
    if design_name(move.card) != "shield":
        raise IllegalMove("only_a_shield_parries", "MC-SHIELD-1", card=move.card)
    check_names(table, seat, (move.card,), seat, "MC-SHIELD-1")


def build_parry(table: Table, seat: int, card: str, rules: tuple[str, ...] = ()) -> Event:
    """Build the event of a shield played against an attack.

    `rules` are the clauses that act in this case.
    """
    source = HANDS[seat]
    return AttackParried(source, DISCARD, find_cards_leaving(table, source, (card,)), (card,), seat, rules)


@named("mc.Struck")
@dataclass(frozen=True)
class PendingAttack(SeatPrompt):
    """An attack on one player that waits for an answer.

    It comes from a sword, an event or a monster, and costs `strength` hearts. A position may leave out what attacks
    (`by` is None), and the strength if it does not say which monster attacks.

    MC-SHIELD-1: A player who is attacked may answer with a shield from the hand, and the attack is off.
    MC-AMB-9: One shield fends off all of it. Without a shield a player with one heart loses just that one.
    """

    strength: int | None = 1
    by: str | None = "sword"
    clauses: ClassVar[tuple[str, ...]] = ("MC-SHIELD-1", "MC-SHIELD-3", "MC-AMB-20")
    reaction_kind: ClassVar[str] = "attack"

    def timeout_move(self, state: Table, seat: Seat) -> Move:
        return TakeHit()  # MC-AMB-27

    def candidate_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        return list_answers(state, self.seat)

    def check_move(self, state: Table, seat: Seat, move: Move) -> None:
        check_attack_answer(state, self.seat, move)

    def decide_move(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, Parry):
            yield build_parry(state, self.seat, move.card, self.find_rules((self.strength or 1) > 1, True))
            yield StepPopped()
        else:
            if self.strength is None:
                raise Undetermined("which_monster")
            hearts = state.hearts_of(self.seat)
            rules = self.find_rules(self.strength > hearts, self.strength < hearts)
            yield HeartsLost(self.seat, min(self.strength, hearts), rules)
            yield StepReplaced(DefeatCheck(self.seat))

    def find_rules(self, strong: bool, survives: bool) -> tuple[str, ...]:
        """Return the clauses that act besides those of every answer.

        `strong`: the attack costs more hearts than one shield or heart might stand for.

        MC-AMB-9: One shield fends off all of it. Without a shield a player with one heart loses just that one.
        MC-EVENT-3: When the event is done a card may be played as usual.
        """
        by_event = self.by in ("event", "monster")
        return (*(("MC-AMB-9",) if strong else ()), *(("MC-EVENT-3",) if by_event and survives else ()))


@named("mc.Lightning")
@dataclass(frozen=True)
class LightningAttack(RoundPrompt):
    """Lightning on everyone but `by`. `order` are the seats that have still to answer.

    `all_parried` says whether everyone hit so far has put down a shield and nobody was immune. It is None if a position
    does not say.

    MC-V1-LIGHTNING-1: Lightning attacks everyone but the active player. Each loses a life or parries for themselves.
    MC-V1-LIGHTNING-2: Those attacked answer one after the other, the next player first.
    MC-AMB-11: If someone is immune, not all parried and nothing strikes back.
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
            yield StepReplaced(replace_fields(self.with_next_seat(), all_parried=False))
            yield StepPushed(DefeatCheck(seat))

    def resolve(self, state: Table) -> Iterator[Event]:
        """Strike back if all parried, now that all have answered.

        MC-V1-LIGHTNING-3: If all of them parried, the lightning costs the active player one life, and no shield helps.
        MC-AMB-10: With one opponent who parries it strikes back, too. The defeated count neither way.
        MC-AMB-10-R2: With one opponent it does not.
        MC-AMB-11: If someone else is immune, nothing strikes back. It does not hurt an immune active player.
        MC-AMB-11-R2: Others who are immune are left out of account.
        """
        spared = any(state.immune[seat] and state.hearts[seat] != 0 for seat in state.seats if seat != self.by)
        stopped = spared and state.interpretation_number("MC-AMB-11") == 1
        if self.all_parried is None and not stopped:
            raise Undetermined("have_all_parried")
        yield StepPopped()
        others = [hearts for seat, hearts in enumerate(state.hearts) if seat != self.by]
        too_few = state.interpretation_number("MC-AMB-10") == 2 and len(others) - others.count(0) == 1
        if not self.all_parried or stopped or too_few:
            return
        if state.is_immune(self.by):
            yield ImmunityHeld(self.by, "lightning")
        else:
            telling = others.count(0) > 0 or len(others) == 1
            yield LightningStruckBack(self.by, ("MC-AMB-10",) if telling else ())
            yield HeartsLost(self.by, 1)
            yield StepPushed(DefeatCheck(self.by))


def start_lightning(table: Table, by: int) -> Iterator[Event]:
    """Yield the events with which lightning begins.

    MC-AMB-11: Someone immune is neither hit nor asked, so not all parried and nothing strikes back.
    MC-AMB-11-R2: Someone immune is left out of account. If nobody is hit, nothing strikes back.
    """
    others = [seat for seat in table.seats_after(by) if seat != by and table.is_alive(seat)]
    hit = tuple(seat for seat in others if not table.is_immune(seat))
    for seat in others:
        if seat not in hit:
            yield ImmunityHeld(seat, "lightning")
    enough = bool(hit) if table.interpretation_number("MC-AMB-11") == 2 else len(hit) == len(others)
    yield StepPushed(LightningAttack(hit, by, enough))


def start_attack(seat: int, strength: int, by: str) -> Iterator[Event]:
    """Yield the event with which an attack on one player begins."""
    yield StepPushed(PendingAttack(seat, strength, by))

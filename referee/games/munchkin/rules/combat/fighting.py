"""The open combat: monsters come and go, main claims the kill or runs.

Clauses: MK-6.5, MK-9.2, MK-9.5, MK-9.6, MK-9.8, MK-10.3, MK-10.6, MK-11.1, MK-11.3, MK-11.5, MK-13.10, MK-14.2,
MK-16.6, MK-16.9, MK-17.1, MK-17.2, MK-17.9, MK-23.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove, NotAsked
from referee.engine.seats import Seat
from referee.engine.steps import Step, StepPopped, StepPushed, StepReplaced
from referee.engine.zones import find_cards_leaving
from referee.games.munchkin.components import COMBAT, FACES
from referee.games.munchkin.derived import name_unmet_condition
from referee.games.munchkin.events.combat import (
    CombatBegan,
    HelperLeft,
    KillClaimed,
    MonsterJoined,
    MonsterRemoved,
)
from referee.games.munchkin.moves import (
    AcceptHelp,
    AskHelp,
    ClaimKill,
    CounterOffer,
    DeclineHelp,
    LetPass,
    RunAway,
    TakeBackRequest,
)
from referee.games.munchkin.rules.cards.texts import build_text_execution, has_text
from referee.games.munchkin.rules.combat import fleeing, helping
from referee.games.munchkin.rules.combat.combat_changed import Moment
from referee.games.munchkin.rules.combat.combat_end import end_combat
from referee.games.munchkin.rules.items import claiming
from referee.games.munchkin.rules.items.discarding import discard_cards
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import is_condition_met, is_winning, score_monsters, score_munchkins, sum_lines
from referee.games.munchkin.values import NOBODY, Foe

HELP_MOVES = (AskHelp, AcceptHelp, DeclineHelp, CounterOffer, TakeBackRequest)
MAIN_PLAYER_MOVES = (ClaimKill, RunAway, LetPass)


# ---- monsters come and go ------------------------------------------------------------------------------------------


def start_combat(table: Table, monster: str, source: str, seat: int, by: int = NOBODY) -> Iterator[Event]:
    """Yield the events with which a monster from a door or a hand starts a combat.

    MK-9.6: The combat is on as soon as a monster is revealed.
    """
    yield CombatBegan(seat)
    yield StepPushed(Fight(seat))
    yield from join_monster(table, monster, monster, source, by)


def join_monster(
    table: Table, card: str, of: str, source: str, by: int, enhancers: tuple[str, ...] = ()
) -> Iterator[Event]:
    """Yield the events with which a monster comes into the combat.

    MK-9.5: What a monster does on entering happens before anything else is accepted.
    MK-11.1: Further monsters come into a combat by Wandering Monster, by a shared tag, or by another card that says so.
    """
    took = find_cards_leaving(table, source, (card,))
    yield MonsterJoined(source, COMBAT, took, (card,), card, of, by, enhancers)
    if has_text(table, of, "enters"):
        yield StepPushed(MonsterArrival(of))


def join_twin(table: Table, card: str, foe: Foe, by: int) -> Iterator[Event]:
    """Yield the events with which a monster gets a twin, for which `card` stands.

    MK-10.3: The twin of a monster has a copy of every enhancer that lies on it.
    """
    yield from join_monster(table, card, foe.of, COMBAT, by, foe.enhancers)


def remove_monster(table: Table, foe: Foe, replaced: bool = False) -> Iterator[Event]:
    """Yield the events with which a monster leaves the combat without being killed.

    An enhancer stays as long as a twin has a copy of it.
    MK-10.6: Enhancers leave the combat together with their monster.
    MK-11.3: A card that removes one monster leaves the others to be fought.
    """
    others = [other for other in table.running_combat.foes if other.card != foe.card]
    lying = table.cards_in_combat()
    kept = {card for other in others for card in other.enhancers}
    leaving = [foe.card, *(card for card in foe.enhancers if card not in kept)]
    yield MonsterRemoved(foe.card, replaced)
    yield from discard_cards(table, COMBAT, [card for card in leaving if card in lying])


@named("mk.Entering")
@dataclass(frozen=True)
class MonsterArrival(Step):
    """The effect of a monster's card on entering the combat.

    MK-9.5: What a monster does on entering happens before anything else is accepted.
    """

    of: str
    clauses: ClassVar[tuple[str, ...]] = ("MK-9.5",)

    def resolve(self, state: Table) -> Iterator[Event]:
        yield StepPopped()
        yield StepPushed(build_text_execution(state, self.of, "enters", state.running_combat.main))


# ---- the open combat -------------------------------------------------------------------------------------------------


@named("mk.Fight")
@dataclass(frozen=True)
class Fight(Moment):
    """The moment of an open combat (MK-24.4).

    MK-14.1: Any living player may play one-shots, enhancers, further monsters and curses.
    MK-14.2: Interference is allowed from the reveal of the monster until the window has run out or the fighters run.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-9.6", "MK-14.1", "MK-14.2")
    moment: ClassVar[str] = "fight"

    def find_pending_seats(self, state: Table) -> tuple[int, ...]:
        combat = state.running_combat
        if combat.to_flee or combat.main in state.dead or helping.must_helper_leave(state):
            return ()
        if not combat.foes and not state.rules.window_after_removal:
            return ()  # MK-11.5: the combat is over, even if somebody is still asked for help
        return (self.seat if combat.asked == NOBODY else combat.asked,)

    def settle_moment(self, state: Table) -> Iterator[Event]:
        combat = state.running_combat
        if combat.to_flee:
            yield StepReplaced(fleeing.Fleeing())  # a card forces the fighters to run (MK-17.2)
        elif combat.main in state.dead:
            yield StepReplaced(fleeing.Fleeing())
            yield from fleeing.start_flight(state, forced=True)
        elif helping.must_helper_leave(state):
            yield HelperLeft(combat.helper)  # MK-9.4, MK-13.10
        else:
            yield StepPopped()
            yield from end_combat(state, "removed")  # MK-11.5

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        combat = state.running_combat
        if seat == combat.main and combat.asked == NOBODY:
            yield ClaimKill()
            yield RunAway()
            for foe in combat.foes:
                if FACES[foe.of].find_abilities("lets_pass"):
                    yield LetPass(foe.card)
        yield from helping.list_help_moves(state, int(seat))

    def list_unprompted_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        if seat == state.running_combat.main and seat not in self.prompted_seats(state):
            yield TakeBackRequest()

    def check_move(self, state: Table, seat: Seat, move: Move) -> None:
        if isinstance(move, HELP_MOVES) and seat >= 0:
            helping.check_help_move(state, int(seat), move)
        elif isinstance(move, MAIN_PLAYER_MOVES) and seat == state.running_combat.main:
            self.check_answer(state, seat, move)  # its refusal says who has to answer first
        else:
            super().check_move(state, seat, move)

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        check_nobody_is_asked(state)
        match move:
            case ClaimKill():
                check_stronger(state)
            case RunAway():
                check_not_stronger(state)
            case LetPass(monster):
                check_let_pass(state, monster)
            case _:
                raise NotAsked("a_combat_is_open", "MK-5.1", "MK-6.5", move=move.TAG)

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        match move:
            case ClaimKill():
                yield KillClaimed(self.seat, sum_lines(score_munchkins(state)), sum_lines(score_monsters(state)))
                yield StepPushed(claiming.ClaimWindow())
            case RunAway():
                yield StepReplaced(fleeing.Fleeing())
                yield from fleeing.start_flight(state)
            case LetPass(monster):
                foe = state.running_combat.find_foe(monster)
                assert foe is not None
                yield from remove_monster(state, foe)
                yield StepPushed(build_text_execution(state, foe.of, "lets_pass", self.seat, monster=monster))
            case _:
                yield from helping.decide_help_move(state, int(seat), move)

    def decide_move(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, HELP_MOVES):
            yield from helping.decide_help_move(state, int(seat), move)
        else:
            yield from super().decide_move(state, seat, move)

    def default_answer(self, state: Table, seat: Seat) -> Move:
        if state.running_combat.asked == seat:
            return DeclineHelp()
        return ClaimKill() if is_winning(state) else RunAway()  # MK-23.2

    def move_patterns(self, state: Table, seat: Seat) -> tuple[dict[str, Any], ...]:
        return (*helping.build_deal_patterns(state, int(seat)), *super().move_patterns(state, seat))


def check_nobody_is_asked(table: Table) -> None:
    """Raise IllegalMove while a request for help is open (MK-13.2)."""
    if (asked := table.running_combat.asked) != NOBODY:
        raise IllegalMove("terms_are_open", "MK-13.2", seat=asked)


def check_stronger(table: Table) -> None:
    """Raise IllegalMove unless the fighters are the stronger side.

    MK-9.2: The fighters win only if their strength is greater.
    """
    if not is_winning(table):
        ours, theirs = sum_lines(score_munchkins(table)), sum_lines(score_monsters(table))
        raise IllegalMove("not_stronger", "MK-9.2", "MK-15.1", ours=ours, theirs=theirs)


def check_not_stronger(table: Table) -> None:
    """Raise IllegalMove if the fighters are the stronger side.

    MK-17.2: Turning to run is legal only while the fighters are not stronger.
    """
    if is_winning(table):
        ours, theirs = sum_lines(score_munchkins(table)), sum_lines(score_monsters(table))
        raise IllegalMove("no_need_to_run", "MK-17.2", "MK-9.8", ours=ours, theirs=theirs)


def check_let_pass(table: Table, monster: str) -> None:
    """Raise IllegalMove unless main may let this monster pass.

    Its card has to allow it, and nobody may have played anything yet.
    """
    combat = table.running_combat
    foe = combat.find_foe(monster)
    if foe is None:
        raise IllegalMove("not_in_the_combat", "MK-11.3", card=monster)
    standing = FACES[foe.of].find_abilities("lets_pass")
    if not standing:
        raise IllegalMove("lets_nobody_pass", "MK-11.3", card=monster)
    if not any(is_condition_met(table, each.when, combat.main, foe) for each in standing):
        unmet = next(each.when for each in standing if each.when is not None)
        needs = name_unmet_condition(table, unmet, combat.main, foe)
        raise IllegalMove("condition_fails", "MK-3.1", card=monster, needs=needs)
    if (
        table.cards_in_combat() != (monster,)
        or combat.added
        or combat.used
        or combat.helper != NOBODY
        or combat.removed
    ):
        raise IllegalMove("something_was_played", "MK-3.1", card=monster)

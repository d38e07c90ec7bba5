"""The combat: monsters come in and leave, main fights, lets pass, claims or runs; and how it ends.

Clauses: MK-6.5, MK-9.2, MK-9.5, MK-9.6, MK-9.8, MK-10.3, MK-10.6, MK-11.1, MK-11.3, MK-11.5, MK-13.10, MK-14.2,
MK-16.6, MK-16.9, MK-17.1, MK-17.2, MK-17.9, MK-23.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from referee.cardscript.hidden_cards import gone_from
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.rulings import Refused
from referee.engine.seats import Seat
from referee.engine.steps import Became, Closed, Opened, Step
from referee.games.munchkin.components import COMBAT, CURSES, FACES
from referee.games.munchkin.derived import holds, winning
from referee.games.munchkin.events.combat import (
    CombatBegan,
    CombatEnded,
    HelperLeft,
    KillClaimed,
    MonsterGone,
    MonsterJoined,
)
from referee.games.munchkin.moves import (
    AcceptHelp,
    AskHelp,
    ClaimKill,
    Counter,
    DeclineHelp,
    LetPass,
    RunAway,
    TakeBack,
)
from referee.games.munchkin.rules.cards.texts import has_text, text_of
from referee.games.munchkin.rules.combat import helping
from referee.games.munchkin.rules.combat.combat_changed import Moment
from referee.games.munchkin.rules.items.discarding import discarded
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import monsters, munchkins, total
from referee.games.munchkin.values import NOBODY, Foe

TERMS = (AskHelp, AcceptHelp, DeclineHelp, Counter, TakeBack)
OF_MAIN = (ClaimKill, RunAway, LetPass)


# ---- monsters come and go ------------------------------------------------------------------------------------------


def combat_with(table: Table, monster: str, source: str, seat: int, by: int = NOBODY) -> Iterator[Event]:
    """The facts with which a combat begins: its monster comes from behind the door or from a hand (MK-9.6)."""
    yield CombatBegan(seat)
    yield Opened(Fight(seat))
    yield from joined(table, monster, monster, source, by)


def joined(table: Table, card: str, of: str, source: str, by: int, enhancers: tuple[str, ...] = ()) -> Iterator[Event]:
    """The facts with which a monster comes into the combat; what it does on entering comes first (MK-9.5, MK-11.1)."""
    took = gone_from(table, source, (card,))
    yield MonsterJoined(source, COMBAT, took, (card,), card, of, by, enhancers)
    if has_text(table, of, "enters"):
        yield Opened(Entering(of))


def twinned(table: Table, card: str, foe: Foe, by: int) -> Iterator[Event]:
    """The facts with which a monster gets a twin, with a copy of each enhancer; `card` stands for it (MK-10.3)."""
    yield from joined(table, card, foe.of, COMBAT, by, foe.enhancers)


def gone(table: Table, foe: Foe, replaced: bool = False) -> Iterator[Event]:
    """The facts with which a monster leaves the combat without being killed, and what lies on it (MK-10.6, MK-11.3).

    An enhancer that a twin has a copy of stays as long as the twin.
    """
    others = [other for other in table.fight.foes if other.card != foe.card]
    lying = table.in_the_combat()
    kept = {card for other in others for card in other.enhancers}
    leaving = [foe.card, *(card for card in foe.enhancers if card not in kept)]
    yield MonsterGone(foe.card, replaced)
    yield from discarded(table, COMBAT, [card for card in leaving if card in lying])


def ended(table: Table, how: str) -> Iterator[Event]:
    """The facts with which a combat ends: all that lies in it is discarded, curses for one combat are over
    (MK-16.9, MK-17.9). The step on top closes itself."""
    yield from discarded(table, COMBAT, table.in_the_combat())
    for seat in table.fight.fighters:
        over = [card for card in table.curses(seat) if _for_one_combat(card)]
        yield from discarded(table, CURSES[seat], over)
    yield CombatEnded(how)


def _for_one_combat(curse: str) -> bool:
    """Whether a lasting curse ends with the next combat (MK-20.4)."""
    stays = FACES[curse].stays
    return stays is not None and stays.until == "next_combat_end"


@named("mk.Entering")
@dataclass(frozen=True)
class Entering(Step):
    """A monster has come in; what its card does then is carried out before anything else (MK-9.5)."""

    of: str
    clauses: ClassVar[tuple[str, ...]] = ("MK-9.5",)

    def resolve(self, state: Table) -> Iterator[Event]:
        yield Closed()
        yield Opened(text_of(state, self.of, "enters", state.fight.main))


# ---- the open combat -------------------------------------------------------------------------------------------------


@named("mk.Fight")
@dataclass(frozen=True)
class Fight(Moment):
    """A combat is open: anybody may interfere, main asks for help, claims the kill, or runs (MK-14.1, MK-24.4)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-9.6", "MK-14.1", "MK-14.2")
    moment: ClassVar[str] = "fight"

    def asks(self, state: Table) -> tuple[int, ...]:
        combat = state.fight
        if combat.to_flee or combat.main in state.dead or helping.must_leave(state):
            return ()
        if not combat.foes and not state.rules.window_after_removal:
            return ()  # it is over, whoever is still asked for help (MK-11.5)
        return (self.seat if combat.asked == NOBODY else combat.asked,)

    def settles(self, state: Table) -> Iterator[Event]:
        from referee.games.munchkin.rules.combat import fleeing

        combat = state.fight
        if combat.to_flee:
            yield Became(fleeing.Fleeing())  # a card has made the fighters run (MK-17.2)
        elif combat.main in state.dead:
            yield Became(fleeing.Fleeing())
            yield from fleeing.run(state, forced=True)
        elif helping.must_leave(state):
            yield HelperLeft(combat.helper)  # MK-9.4, MK-13.10
        else:
            yield Closed()
            yield from ended(state, "removed")  # MK-11.5

    def answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        combat = state.fight
        if seat == combat.main and combat.asked == NOBODY:
            yield ClaimKill()
            yield RunAway()
            for foe in combat.foes:
                if FACES[foe.of].gives("lets_pass"):
                    yield LetPass(foe.card)
        yield from helping.answers(state, int(seat))

    def besides(self, state: Table, seat: Seat) -> Iterable[Move]:
        if seat == state.fight.main and seat not in self.asked(state):
            yield TakeBack()

    def check(self, state: Table, seat: Seat, move: Move) -> None:
        if isinstance(move, TERMS) and seat >= 0:
            helping.check(state, int(seat), move)
        elif isinstance(move, OF_MAIN) and seat == state.fight.main:
            self.judged(state, seat, move)  # main is told who has to answer first
        else:
            super().check(state, seat, move)

    def judged(self, state: Table, seat: Seat, move: Move) -> None:
        combat = state.fight
        if combat.asked != NOBODY:
            raise Refused("terms_are_open", "MK-13.2", seat=combat.asked)
        match move:
            case ClaimKill():
                if not winning(state):
                    ours, theirs = total(munchkins(state)), total(monsters(state))
                    raise Refused("not_stronger", "MK-9.2", "MK-15.1", ours=ours, theirs=theirs)
            case RunAway():
                if winning(state):
                    raise Refused("no_need_to_run", "MK-17.2", "MK-9.8")
            case LetPass(monster):
                check_passing(state, monster)
            case _:
                raise Refused("a_combat_is_open", "MK-9.7", move=move.TAG)

    def answered(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        from referee.games.munchkin.rules.combat import fleeing
        from referee.games.munchkin.rules.items import claiming

        match move:
            case ClaimKill():
                yield KillClaimed(self.seat, total(munchkins(state)), total(monsters(state)))
                yield Opened(claiming.ClaimWindow())
            case RunAway():
                yield Became(fleeing.Fleeing())
                yield from fleeing.run(state)
            case LetPass(monster):
                foe = state.fight.foe(monster)
                assert foe is not None
                yield from gone(state, foe)
                yield Opened(text_of(state, foe.of, "lets_pass", self.seat, monster=monster))
            case _:
                yield from helping.decide(state, int(seat), move)

    def decide(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, TERMS):
            yield from helping.decide(state, int(seat), move)
        else:
            yield from super().decide(state, seat, move)

    def by_default(self, state: Table, seat: Seat) -> Move:
        if state.fight.asked == seat:
            return DeclineHelp()
        return ClaimKill() if winning(state) else RunAway()  # MK-23.2

    def patterns(self, state: Table, seat: Seat) -> tuple[dict[str, Any], ...]:
        return (*helping.patterns(state, int(seat)), *super().patterns(state, seat))


def check_passing(table: Table, monster: str) -> None:
    """Raises Refused unless main may let this monster pass: its card says so, and nobody has played anything yet."""
    combat = table.fight
    foe = combat.foe(monster)
    if foe is None:
        raise Refused("not_in_the_combat", "MK-11.3", card=monster)
    standing = FACES[foe.of].gives("lets_pass")
    if not standing:
        raise Refused("lets_nobody_pass", "MK-11.3", card=monster)
    if not any(holds(table, each.when, combat.main, foe) for each in standing):
        raise Refused("condition_fails", "MK-3.1", card=monster)
    if table.in_the_combat() != (monster,) or combat.added or combat.used or combat.helper != NOBODY or combat.removed:
        raise Refused("something_was_played", "MK-3.1", card=monster)

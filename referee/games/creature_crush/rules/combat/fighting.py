"""The combat phase: creatures are played, crush cards laid and flipped, allies attack, as often as the dice allow.

Clauses: CC-COMBAT-1, CC-TURN-1, CC-END-3, CC-AMB-2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from referee.cardscript.questions import Asking
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.rulings import Refused
from referee.engine.seats import Seat
from referee.engine.steps import Became, Opened
from referee.games.creature_crush.events.course import PhaseBegan
from referee.games.creature_crush.moves import Attack, EndCombat, Flip, Lay, OfferDraw, Summon
from referee.games.creature_crush.rules import concede_and_draw
from referee.games.creature_crush.rules.actions import setting_traps, summoning
from referee.games.creature_crush.rules.actions.setting_traps import check_lay, laid, lays
from referee.games.creature_crush.rules.actions.summoning import check_summon, summoned, summons
from referee.games.creature_crush.rules.actions.tactic import Tactic
from referee.games.creature_crush.rules.chain import chained
from referee.games.creature_crush.rules.combat.attacking import attacked, attacks, check_attack
from referee.games.creature_crush.rules.combat.flipping import check_flip, flippable
from referee.games.creature_crush.rules.ending import Judging
from referee.games.creature_crush.state import Table


@named("cc.Combat")
@dataclass(frozen=True)
class Combat(Asking):
    """The active player's combat phase; it lies beneath everything that its actions set off."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-COMBAT-1",)

    def asked(self, state: Table) -> tuple[int, ...]:
        return (self.seat,)

    def answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield EndCombat()
        yield OfferDraw()
        yield from attacks(state, self.seat)
        yield from flippable(state, self.seat, None)
        yield from lays(state, self.seat)
        yield from summons(state, self.seat)  # last: real cards of a hand may be very many

    def judged(self, state: Table, seat: Seat, move: Move) -> None:
        match move:
            case Summon():
                check_summon(state, self.seat, move)
            case Attack():
                check_attack(state, self.seat, move)
            case Lay():
                check_lay(state, self.seat, move)
            case Flip():
                check_flip(state, self.seat, move, None)
            case OfferDraw():
                concede_and_draw.check_offer(state, self.seat)
            case EndCombat():
                pass
            case _:
                raise Refused("not_in_combat", "CC-COMBAT-1", move=move.TAG)

    def answered(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        match move:
            case Summon():
                yield from summoned(state, self.seat, move)
            case Attack():
                yield from attacked(state, self.seat, move)
            case Lay():
                yield from laid(state, self.seat, move)
            case Flip():
                yield Opened(Judging())
                yield from chained(state, self.seat, move)
            case OfferDraw():
                yield from concede_and_draw.offered(self.seat)
            case EndCombat():
                yield Became(Tactic(self.seat))
                yield PhaseBegan(self.seat, "tactic")
                yield Opened(Judging())

    def patterns(self, state: Table, seat: Seat) -> tuple[dict[str, Any], ...]:
        if seat != self.seat:
            return ()
        return (*summoning.patterns(state, self.seat), *setting_traps.patterns(state, self.seat))

    def by_default(self, state: Table, seat: Seat) -> Move:
        return EndCombat()

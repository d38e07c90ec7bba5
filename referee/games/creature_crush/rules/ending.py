"""How a match ends: all cards in hell, given up, agreed, stalemate (CC-END-1 to CC-END-3, CC-AMB-2, CC-AMB-4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.games.creature_crush.events.course import ENDS, BattleEnded
from referee.games.creature_crush.material import DECKS, HANDS, SEATS, face
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import NOBODY
from referee.kernel.agenda import Cleared, Closed, Step
from referee.kernel.box import Outcome
from referee.kernel.codec import named
from referee.kernel.facts import Event
from referee.kernel.zones import is_back


@named("cc.Judging")
@dataclass(frozen=True)
class Judging(Step):
    """After each action and each phase, when no chain is open: whether the match is over (CC-AMB-2)."""

    clauses: ClassVar[tuple[str, ...]] = ("CC-END-1", "CC-AMB-2")

    def resolve(self, state: Table) -> Iterator[Event]:
        ended = over(state)
        if ended is None:
            yield Closed()
        else:
            yield from end(*ended)


def end(winner: int, way: str) -> Iterator[Event]:
    """The facts with which a match ends."""
    yield BattleEnded(winner, way)
    yield Cleared()


def over(table: Table) -> tuple[int, str] | None:
    """Who has won and how, as the table stands; None while it goes on. Raises Unknown."""
    beaten = tuple(seat for seat in SEATS if table.left_in_play(seat) == 0)
    if len(beaten) == len(SEATS):
        return NOBODY, "both_in_hell"
    if beaten:
        return 1 - beaten[0], "all_in_hell"
    if table.quiet >= table.rules.quiet_turns:
        return NOBODY, "stalemate_quiet"
    return (NOBODY, "stalemate_no_force") if not any(has_force(table, seat) for seat in SEATS) else None


def has_force(table: Table, seat: int) -> bool:
    """Whether a player may still harm: a creature with attack above 0 or a crush card in deck, hand or on the board.

    A card that nobody has seen may be one (CC-AMB-4).
    """
    if table.crush_places(seat) or any(table.attack(creature) > 0 for creature in table.creatures(seat)):
        return True
    hidden = (*table.open_at(HANDS[seat]), *table.open_at(DECKS[seat]))
    return any(is_back(card) or not face(card).is_creature or face(card).attack > 0 for card in hidden)


def outcome(table: Table) -> Outcome | None:
    """How the match has ended; None while it goes on."""
    if not table.way:
        return None
    if table.winner == NOBODY:
        return Outcome((), table.way, (ENDS[table.way],), (SEATS,))
    return Outcome((table.winner,), table.way, (ENDS[table.way],), ((table.winner,), (1 - table.winner,)))

"""How a match ends: all cards in hell, given up, agreed, stalemate (CC-END-1 to CC-END-3, CC-AMB-2, CC-AMB-4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.table import SOME
from referee.engine.codec import named
from referee.engine.events import Event
from referee.engine.game import Outcome
from referee.engine.steps import Cleared, Closed, Step
from referee.engine.zones import is_back
from referee.games.creature_crush.components import CRUSHES, DECKS, FIELDS, HANDS, SEATS, face
from referee.games.creature_crush.events.course import ENDS, BattleEnded
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import NOBODY


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
    beaten = tuple(seat for seat in SEATS if has_nothing_left(table, seat))
    if len(beaten) == len(SEATS):
        return NOBODY, "both_in_hell"
    if beaten:
        return 1 - beaten[0], "all_in_hell"
    if table.quiet >= table.rules.quiet_turns:
        return NOBODY, "stalemate_quiet"
    if any(shows_force(table, seat) for seat in SEATS) or any(holds_force(table, seat) for seat in SEATS):
        return None
    return NOBODY, "stalemate_no_force"


def has_nothing_left(table: Table, seat: int) -> bool:
    """Whether all cards of a player are in hell (CC-END-1). Raises Unknown where only cards left out would tell."""
    if any(table.zones.get(place) for place in (*FIELDS[seat], *CRUSHES[seat])):
        return False
    piles = (table.place(HANDS[seat]), table.place(DECKS[seat]))
    if any(card != SOME for pile in piles for card in pile):
        return False
    return table.left_in_play(seat) == 0


def shows_force(table: Table, seat: int) -> bool:
    """Whether a player may still harm by what lies on the board: a crush card, a creature with attack above 0."""
    if table.crush_places(seat):
        return True
    return any(table.attack(creature) > 0 or spared(table, creature) for creature in table.creatures(seat))


def spared(table: Table, creature: str) -> bool:
    """Whether the attack of a creature is lowered for this turn only: then nothing stands still yet (CC-AMB-4)."""
    return any(each.this_turn and each.stat == "attack" and each.amount < 0 for each in table.lasting.get(creature, ()))


def holds_force(table: Table, seat: int) -> bool:
    """Whether a player may still harm by what is in hand or deck. A card that nobody has seen may be such (CC-AMB-4).

    Raises Unknown where only cards left out would tell.
    """
    piles = (HANDS[seat], DECKS[seat])
    for card in (card for place in piles for card in table.place(place) if card != SOME):
        if is_back(card) or not face(card).is_creature or face(card).attack > 0:
            return True
    for place in piles:
        table.open_at(place)  # raises where cards are left out
    return False


def outcome(table: Table) -> Outcome | None:
    """How the match has ended; None while it goes on."""
    if not table.way:
        return None
    if table.winner == NOBODY:
        return Outcome((), f"outcome.{table.way}", (ENDS[table.way],), (SEATS,))
    return Outcome((table.winner,), f"outcome.{table.way}", (ENDS[table.way],), ((table.winner,), (1 - table.winner,)))

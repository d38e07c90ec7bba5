"""How a match ends: all cards in hell, conceded, agreed, or a stalemate.

Clauses: CC-END-1 to CC-END-3, CC-AMB-2, CC-AMB-4.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.table import UNCOUNTED_CARDS
from referee.engine.codec import named
from referee.engine.events import Event
from referee.engine.game import Outcome
from referee.engine.rulebook.interpretations import FIRST_INTERPRETATION
from referee.engine.steps import Step, StepPopped
from referee.engine.zones import is_back
from referee.games.creature_crush.components import CRUSH_PLACES, DECKS, FIELD_PLACES, HANDS, SEATS, face_of
from referee.games.creature_crush.events.course import END_CLAUSES, end_match
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import NOBODY

SPENT_ON_THE_FIELD = ("action", "trap")  # what no longer happens once a creature lies in A or B


@named("cc.Judging")
@dataclass(frozen=True)
class MatchEndCheck(Step):
    """After each action and each phase the match may be over.

    CC-AMB-2: The end is checked whenever the chain is empty, after each action and each phase, and never within a
        chain.
    """

    clauses: ClassVar[tuple[str, ...]] = ("CC-END-1", "CC-AMB-2")

    def resolve(self, state: Table) -> Iterator[Event]:
        ended = find_result(state)
        if ended is None:
            yield StepPopped()
        else:
            yield from end_match(*ended)


def find_result(table: Table) -> tuple[int, str] | None:
    """Return the winner and how the match ended, or None while it goes on.

    Raises Undetermined.
    """
    beaten = tuple(seat for seat in SEATS if has_nothing_left(table, seat))
    if len(beaten) == len(SEATS):
        return NOBODY, "both_in_hell"
    if beaten:
        return 1 - beaten[0], "all_in_hell"
    if table.quiet >= table.rules.quiet_turns:
        return NOBODY, "stalemate_quiet"
    if any(has_visible_force(table, seat) for seat in SEATS) or any(may_hold_force(table, seat) for seat in SEATS):
        return None
    return NOBODY, "stalemate_no_force"


def has_nothing_left(table: Table, seat: int) -> bool:
    """Return whether all cards of a player are in hell.

    Raises Undetermined if only cards that a position leaves out could tell.

    CC-END-1: A player wins when all cards of the opponent are in hell.
    """
    if any(table.zones.get(place) for place in (*FIELD_PLACES[seat], *CRUSH_PLACES[seat])):
        return False
    piles = (table.cards_at(HANDS[seat]), table.cards_at(DECKS[seat]))
    if any(card != UNCOUNTED_CARDS for pile in piles for card in pile):
        return False
    return table.count_left_in_play(seat) == 0


def has_visible_force(table: Table, seat: int) -> bool:
    """Return whether a player may still do harm with what lies on the board.

    That is a crush card, or a creature with attack above 0 or with something to do.
    """
    if table.list_crush_places(seat):
        return True
    return any(
        table.attack_points(creature) > 0
        or is_attack_lowered(table, creature)
        or has_something_to_do(table, creature, SPENT_ON_THE_FIELD)
        for creature in table.list_creatures(seat)
    )


def has_something_to_do(table: Table, creature: str, spent: tuple[str, ...] = ()) -> bool:
    """Return whether a creature without attack points could still change something.

    `spent` are texts that do nothing where it is.

    CC-AMB-4-R2: A creature counts that has an effect which can still happen, or that gives attack.
    """
    if table.interpretation_number("CC-AMB-4") == FIRST_INTERPRETATION:
        return False
    printed = face_of(creature)
    gives = any(
        each.what == "attack" and (not isinstance(each.number, int) or each.number > 0) for each in printed.standing
    )
    return gives or any(text not in spent for text in printed.texts)


def is_attack_lowered(table: Table, creature: str) -> bool:
    """Return whether the attack of a creature is lowered for some time only.

    CC-AMB-4: It is a stalemate only if neither player has a creature with attack above 0 or a crush card. An attack
        lowered until the end of the turn is not yet one.
    """
    return any(
        (each.this_turn or each.until_turn_of) and each.stat == "attack" and each.amount < 0
        for each in table.lasting.get(creature, ())
    )


def may_hold_force(table: Table, seat: int) -> bool:
    """Return whether a player may still do harm with cards in hand or deck.

    Raises Undetermined if only cards that a position leaves out could tell.

    CC-AMB-4: A card that nobody has named may be such a card.
    """
    piles = (HANDS[seat], DECKS[seat])
    for card in (card for place in piles for card in table.cards_at(place) if card != UNCOUNTED_CARDS):
        if is_back(card) or not face_of(card).is_creature or face_of(card).attack > 0:
            return True
        if has_something_to_do(table, card):
            return True
    for place in piles:
        table.open_cards_at(place)  # raises where cards are left out
    return False


def build_outcome(table: Table) -> Outcome | None:
    """Return how the match has ended, or None while it goes on."""
    if not table.way:
        return None
    if table.winner == NOBODY:
        return Outcome((), f"outcome.{table.way}", (END_CLAUSES[table.way],), (SEATS,))
    return Outcome(
        (table.winner,), f"outcome.{table.way}", (END_CLAUSES[table.way],), ((table.winner,), (1 - table.winner,))
    )

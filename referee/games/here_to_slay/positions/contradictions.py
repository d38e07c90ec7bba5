"""The contradictions of a position, each with its place and the clause it breaks.

Only what a position says is judged. What it leaves out may be anything. Clauses: HTS-COMP-1, HTS-ZONE-1, HTS-ZONE-5,
HTS-ZONE-6, HTS-ITEM-2, HTS-ITEM-3, HTS-SETUP-3, HTS-TURN-2, HTS-TURN-3, HTS-TURN-6, HTS-TERM-1, HTS-MON-1, HTS-MON-10,
HTS-CHAL-3, HTS-WIN-1, HTS-WIN-2, HTS-WIN-4, HTS-AMB-5, HTS-AMB-73, HTS-ASK-2, HTS-DO-14, KERNEL-CENSUS-1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from referee.cardscript.questions import SimultaneousChoice
from referee.cardscript.table import UNCOUNTED_CARDS
from referee.engine.chance import ChanceStep
from referee.engine.positions.contradictions import Contradiction, build_contradiction
from referee.engine.rulebook.book import Text
from referee.engine.rulings import IllegalMove, Undetermined
from referee.engine.steps import Step
from referee.engine.zones import is_back
from referee.games.here_to_slay.components import (
    CLASSES,
    DECK,
    HANDS,
    LEADER,
    LEADERS,
    MONSTERS,
    PARTIES,
    PENDING,
    ROW,
    SLAIN,
    leaders_for,
)
from referee.games.here_to_slay.positions.census import find_contradictions, find_pointer
from referee.games.here_to_slay.positions.points import count_most_points
from referee.games.here_to_slay.positions.questions import UndeterminedQuestion
from referee.games.here_to_slay.positions.references import collect_pending_cards
from referee.games.here_to_slay.rules.attacking import AttackRoll, MonsterTurnUp
from referee.games.here_to_slay.rules.drawing import HandNaming
from referee.games.here_to_slay.rules.hands import DeckTopOrdering
from referee.games.here_to_slay.rules.playing import ChallengeWindow, FreeRoll, RollOff
from referee.games.here_to_slay.rules.setup import ROW_SIZE
from referee.games.here_to_slay.rules.turn import Turn
from referee.games.here_to_slay.state import NOBODY, Table
from referee.games.here_to_slay.values import MONSTERS_TO_WIN

Fault = tuple[str, str | Text, str]  # pointer, detail, clause
Faults = Iterator[Fault]
ITEM_PLACE_PREFIX = "under/"


def find_faults(table: Table) -> list[Contradiction]:
    """Return the contradictions of a position, each with pointer, detail and clause."""
    faults: list[Fault] = []
    for finding in find_contradictions(table):
        pointer = finding["places"][0] if finding["places"] else ""
        faults.append((pointer, finding["says"], finding["clause"]))
    for part in (
        _find_place_faults,
        _find_item_faults,
        _find_leader_faults,
        _find_departure_faults,
        _find_turn_faults,
        _find_end_faults,
    ):
        faults += part(table)
    if not faults and table.agenda and not isinstance(table.agenda[-1], UndeterminedQuestion):
        faults += [*_find_pending_faults(table), *_find_step_stack_faults(table)]
        faults += [] if faults else _find_question_faults(table, table.agenda[-1])
    return [build_contradiction(*fault) for fault in faults]


def _is_fully_specified(table: Table, *places: str) -> bool:
    """Return whether a position says everything about these places."""
    return not any(UNCOUNTED_CARDS in table.cards_at(place) for place in places)


# ---- the table -------------------------------------------------------------------------------------------------------


def _find_place_faults(table: Table) -> Faults:
    row = table.cards_at(ROW)
    if len(row) > ROW_SIZE:
        yield "/row", f"at most {ROW_SIZE} monsters can lie face up", "HTS-ZONE-1"
    top = table.agenda[-1] if table.agenda else None
    if isinstance(top, MonsterTurnUp) and len(row) == ROW_SIZE and _is_fully_specified(table, ROW):
        yield "/row", "no monster is turned up while the row is full", "HTS-MON-10"
    turning_up = any(isinstance(step, MonsterTurnUp) for step in table.agenda)
    in_play = _is_going_on(table) and not turning_up and table.turn not in (None, NOBODY)
    if in_play and _is_fully_specified(table, ROW, MONSTERS) and len(row) < ROW_SIZE and table.cards_at(MONSTERS):
        yield "/row", "the row must be full as long as the monster deck has cards", "HTS-MON-10"


def _find_item_faults(table: Table) -> Faults:
    lying = [hero for party in PARTIES for hero in table.cards_at(party)]
    for place, cards in table.zones.items():
        if not place.startswith(ITEM_PLACE_PREFIX) or not cards:
            continue
        if place.removeprefix(ITEM_PLACE_PREFIX) not in lying:
            yield "/seats", f"{cards[0]} must lie under a hero", "HTS-ITEM-2"
        if len(cards) > 1 and lying.count(place.removeprefix(ITEM_PLACE_PREFIX)) == 1:
            yield find_pointer(table, place), "a hero can carry only one item", "HTS-ITEM-3"


def _find_leader_faults(table: Table) -> Faults:
    allowed = (*leaders_for(table.rules.seats, table.rules.edition), UNCOUNTED_CARDS)
    places = [(LEADERS, "/leaders"), *((LEADER[seat], f"/seats/{seat}/leader") for seat in range(table.rules.seats))]
    for place, pointer in places:
        for leader in table.cards_at(place):
            if leader not in allowed:
                yield pointer, f"{leader} stays in the box in a match of {table.rules.seats} players", "HTS-SETUP-3"


def _find_departure_faults(table: Table) -> Faults:
    for seat in table.gone:
        for place in (HANDS[seat], PARTIES[seat], SLAIN[seat], LEADER[seat]):
            if any(card != UNCOUNTED_CARDS for card in table.cards_at(place)):
                yield find_pointer(table, place), f"seat {seat} has left the table and cannot have cards", "HTS-AMB-73"
    if _is_going_on(table) and len(table.seats_at_table) < 2:
        yield "/left", "only one player is left, so that player has already won", "HTS-AMB-73"
    if _is_going_on(table) and table.turn in table.gone:
        yield "/turn", f"seat {table.turn} has left the table and cannot have a turn", "HTS-AMB-73"


def _find_turn_faults(table: Table) -> Faults:
    if table.points is None or table.turn is None:
        return
    if table.turn == NOBODY:
        if table.points:
            yield "/points", "no turn has begun, so nobody has points", "HTS-TURN-1"
    elif _is_fully_specified(table, SLAIN[table.turn], LEADER[table.turn]):
        most = count_most_points(table, table.turn)
        if table.points > most:
            yield "/points", f"seat {table.turn} has at most {most} points in a turn", "HTS-TURN-2"


# ---- the end ---------------------------------------------------------------------------------------------------------


def _is_going_on(table: Table) -> bool:
    """Return whether the match of a position is not over."""
    return bool(table.agenda)


def _find_end_faults(table: Table) -> Faults:
    if _is_going_on(table):
        if table.winner != NOBODY:
            yield "/question", "somebody has won, so no question can be open", "HTS-WIN-4"
        for seat in range(table.rules.seats):
            if sum(card != UNCOUNTED_CARDS for card in table.cards_at(SLAIN[seat])) >= MONSTERS_TO_WIN:
                yield (
                    f"/seats/{seat}/slain",
                    "the third slain monster wins at once, so the match must be over",
                    "HTS-WIN-1",
                )
        return
    seat = table.winner
    if seat == NOBODY:
        yield "/winner", "a match that is over needs a winner", "HTS-WIN-4"
    elif (
        table.way == "three_monsters"
        and _is_fully_specified(table, SLAIN[seat])
        and len(table.monsters_slain_by(seat)) < MONSTERS_TO_WIN
    ):
        yield f"/seats/{seat}/slain", "the winner must have three slain monsters", "HTS-WIN-1"
    elif table.way == "last_one_left" and table.seats_at_table != (seat,):
        yield "/left", "the last player left must be alone at the table", "HTS-AMB-73"
    elif table.way == "six_classes" and _lacks_classes(table, seat):
        yield f"/seats/{seat}/party", "the winner must have all six classes", "HTS-WIN-2"


def _lacks_classes(table: Table, seat: int) -> bool:
    """Return whether a party certainly lacks one of the six classes."""
    try:
        return not table.classes_of(seat) >= set(CLASSES)
    except Undetermined:
        return False


# ---- the question ----------------------------------------------------------------------------------------------------


def _find_pending_faults(table: Table) -> Faults:
    """Yield a fault if the pending cards are not exactly those of the pending steps.

    HTS-ZONE-5: A card that is being played is pending: face up, out of the hand and not yet on any pile, so nobody can
        pull it, search for it or shuffle it in.
    """
    if _is_fully_specified(table, PENDING) and Counter(table.cards_at(PENDING)) != Counter(
        collect_pending_cards(table.agenda)
    ):
        speak = ", ".join(collect_pending_cards(table.agenda)) or "none"
        yield (
            "/pending",
            f"according to the question and the pending steps, the cards being played are: {speak}",
            "HTS-ZONE-5",
        )


def _find_step_stack_faults(table: Table) -> Faults:
    for step in table.agenda:
        for detail, clause in (*_find_step_faults(table, step), *_find_answer_faults(table, step)):
            yield "/question", detail, clause


def _find_step_faults(table: Table, step: Step) -> Iterator[tuple[str, str]]:
    on_turn = table.turn
    match step:
        case Turn(seat) if on_turn not in (None, seat):
            yield f"this question goes to the active player, and that is not seat {seat}", "HTS-TURN-3"
        case ChallengeWindow(seat) | RollOff(seat=seat) if not table.rules.challenge_out_of_turn:
            if on_turn not in (None, seat):
                yield "a card played out of turn cannot be challenged", "HTS-AMB-5"
    match step:
        case ChallengeWindow(seat, passed=passed) if seat in passed:
            yield "players are not asked to challenge their own card", "HTS-CHAL-3"
        case AttackRoll(casts):
            if _is_fully_specified(table, ROW) and casts[0].about not in table.cards_at(ROW):
                yield f"{casts[0].about} is not in the row, so it cannot be attacked", "HTS-MON-1"
            if on_turn not in (None, casts[0].seat):
                yield "only the active player can attack", "HTS-MON-1"
        case HandNaming(seat, count):
            if _is_fully_specified(table, HANDS[seat]) and count > sum(map(is_back, table.cards_in_hand(seat))):
                yield f"seat {seat} does not have this many unnamed cards", "KERNEL-CENSUS-1"
    seat = getattr(step, "seat", NOBODY)
    if seat in table.gone:
        yield f"seat {seat} has left the table and cannot be asked", "HTS-AMB-73"


def _find_answer_faults(table: Table, step: Step) -> Iterator[tuple[str, str]]:
    """Yield the faults of answers given already, and of cards about to be put back.

    These cards must lie where the position says.
    """
    if isinstance(step, DeckTopOrdering) and _is_fully_specified(table, DECK):
        top = table.cards_at(DECK)[: len(step.cards)]
        if not any(map(is_back, (*top, *step.cards))) and sorted(top) != sorted(step.cards):
            yield "these must be the cards on top of the deck", "HTS-DO-14"
    if not isinstance(step, SimultaneousChoice):
        return
    for seat, cards in step.given.items():
        try:
            if cards:  # a view hides the answers of others
                step.check_choice(table, int(seat), cards)
        except IllegalMove as refused:
            yield f"seat {seat} cannot have answered with {', '.join(cards)}", refused.ruling.clauses[0]
        except Undetermined:
            continue


def _find_question_faults(table: Table, top: Step) -> Faults:
    """Yield a fault if nobody has to answer the open question.

    Such a step would resolve by itself. Chance steps are left out, because a view does not show whether they await
    CHANCE.
    """
    if isinstance(top, ChanceStep):
        return
    try:
        awaited = top.awaited_seats(table)
    except Undetermined:
        return
    if awaited:
        return
    if isinstance(top, Turn):
        yield "/points", "a turn with no points left is over", "HTS-TURN-6"
    elif isinstance(top, FreeRoll):
        yield "/question", f"{top.hero} is not in the party of seat {top.seat}", "HTS-HERO-2"
    else:
        yield "/question", "no player would have to answer this question", "HTS-ASK-2"

"""Find the contradictions of a position, each with its place and its clause.

Only what a position says can contradict the rules. What it leaves out may be anything. Clauses: CC-MAT-1, CC-PREP-1,
CC-PREP-3, CC-TURN-1, CC-START-4, CC-CRUSH-1, CC-CRUSH-3, CC-DAMAGE-1, CC-ACT-1, CC-AMB-2, CC-AMB-4, CC-END-1, CC-END-3,
CC-FORMAT-ARENA-1, CC-FORMAT-LEAGUE-1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from referee.cardscript.table import UNCOUNTED_CARDS
from referee.engine.chance import ChanceStep
from referee.engine.positions.contradictions import Contradiction, build_contradiction
from referee.engine.rulebook.book import Text
from referee.engine.rulings import IllegalMove, Undetermined
from referee.engine.seats import Seat
from referee.engine.steps import Step
from referee.engine.zones import is_back
from referee.games.creature_crush.card_attributes import COST_X
from referee.games.creature_crush.components import (
    DECK_SIZE,
    DRAFT_DRAWN,
    FLIPPED,
    MOST_START_DICE,
    POOL,
    SEATS,
    face_of,
)
from referee.games.creature_crush.events.course import END_CLAUSES
from referee.games.creature_crush.moves import BringDeck, DeckReady, Keep
from referee.games.creature_crush.positions.census import POINTERS_BY_PLACE, find_contradictions, may_be_misread
from referee.games.creature_crush.positions.references import find_flipped_cards
from referee.games.creature_crush.rules.actions.paying import change_crush_cost
from referee.games.creature_crush.rules.combat.rerolling import RollAgain
from referee.games.creature_crush.rules.decks import READY_ANSWER, BringingDecks, ConfirmingDecks
from referee.games.creature_crush.rules.drafting import Drafting, DrawSeven
from referee.games.creature_crush.rules.drawing import CardNaming
from referee.games.creature_crush.rules.ending import find_result
from referee.games.creature_crush.rules.setup import DealDecks, StartingPlayerRoll
from referee.games.creature_crush.rules.turn import CombatPhase, StartDiceRoll, TacticPhase
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import NOBODY

Fault = tuple[str, str | Text, str]  # pointer, detail, clause
Faults = Iterator[Fault]
POOL_CARDS_NEEDED: dict[type[Step], int] = {  # the number of cards that go from the pile to the players
    DealDecks: 2 * DECK_SIZE, BringingDecks: 2 * DECK_SIZE, ConfirmingDecks: 2 * DECK_SIZE, DrawSeven: 2 * DRAFT_DRAWN,
}  # fmt: skip
SETUP_STEPS = (StartingPlayerRoll, BringingDecks, ConfirmingDecks, Drafting)
DRAFT_ROUNDS = 5  # of the draft (CC-FORMAT-ARENA-1)


def find_faults(table: Table) -> list[Contradiction]:
    """Find the contradictions of a position, each as `{pointer, detail, clause}`."""
    faults: list[Fault] = []
    for finding in find_contradictions(table):
        if may_be_misread(table, finding):
            continue
        pointer = finding["places"][0] if finding["places"] else ""
        faults.append((pointer, finding["says"], finding["clause"]))
    for part in (
        _check_creatures,
        _check_crush_cards,
        _check_dice,
        _check_turn_order,
        _check_deck_lists,
        _check_answers,
        _check_match_end,
    ):
        faults += part(table)
    if not faults and table.agenda:
        faults += [*_check_flips(table), *_check_phase(table)]
        faults += [] if faults else _check_question(table, table.agenda[-1])
    return [build_contradiction(*fault) for fault in faults]


# ---- the boards ------------------------------------------------------------------------------------------------------


def _check_creatures(table: Table) -> Faults:
    for card, place in table.places_by_creature.items():
        if table.life_left(card) <= 0:
            yield f"{POINTERS_BY_PLACE[place]}/damage", "a creature with this much damage is destroyed", "CC-DAMAGE-1"
        more = table.ready.get(card, 0) + 1
        if card not in table.entered and table.acted.get(card, 0) > more:
            yield (
                f"{POINTERS_BY_PLACE[place]}/acted",
                f"this creature may take at most {more} action(s) in a turn",
                "CC-ACT-1",
            )
    for at, card in enumerate(table.entered):
        if card not in table.places_by_creature:
            yield f"/entered/{at}", f"{card} does not lie on a field", "CC-SUMMON-1"
    for at, card in enumerate(table.borrowed):
        if card not in table.places_by_creature:
            yield f"/borrowed/{at}", f"{card} does not lie on a field", "CC-AMB-3"


def _check_crush_cards(table: Table) -> Faults:
    for place, dice in table.paid.items():
        card = table.card_at(place)
        cost = COST_X if is_back(card) else change_crush_cost(face_of(card).cost, table.saved.get(place, 0))
        if cost not in (COST_X, dice):
            yield (
                f"{POINTERS_BY_PLACE[place]}/dice",
                f"for this card {cost} dice must be burned",
                "CC-CRUSH-1",
            )


# ---- dice, turns, decks ----------------------------------------------------------------------------------------------


def _check_dice(table: Table) -> Faults:
    if len(table.dice) + table.burned > MOST_START_DICE:
        yield "/start_dice", f"a player has at most {MOST_START_DICE} start dice in a turn", "CC-START-4"
    if table.agenda and table.dice and not table.phase:
        yield "/start_dice", "start dice are rolled only once a turn has begun", "CC-START-2"


def _check_turn_order(table: Table) -> Faults:
    if table.turn == NOBODY:
        if table.places_by_creature or table.paid:
            yield "/seats", "no card is played before the first turn", "CC-PREP-3"
        if table.turns or table.phase:
            yield "/turn", "a turn has begun, so say whose turn it is", "CC-TURN-1"
        needed = max((POOL_CARDS_NEEDED.get(type(step), 0) for step in table.agenda), default=0)
        if UNCOUNTED_CARDS not in table.cards_at(POOL) and len(table.cards_at(POOL)) < needed:
            yield (
                "/pool",
                f"at least {needed} cards must lie here, since they are still to be dealt or drawn",
                "CC-PREP-1",
            )
        return
    if any(isinstance(step, SETUP_STEPS) for step in table.agenda):
        yield "/turn", "this is asked only before the first turn: leave this out", "CC-PREP-2"
    if table.opener != NOBODY and (table.turn == table.opener) != bool(table.turns % 2):
        yield "/turns", "the players take turns alternately, so this number does not fit whose turn it is", "CC-TURN-1"
    if table.drafted not in (0, DRAFT_ROUNDS):
        yield (
            "/drafted",
            f"the draft has {DRAFT_ROUNDS} rounds, and all of them are over once a turn has begun",
            "CC-FORMAT-ARENA-1",
        )
    if table.offered not in (NOBODY, table.turn):
        yield "/offered", "a player can offer a draw only in their own turn", "CC-END-3"


def _check_deck_lists(table: Table) -> Faults:
    for seat, cards in table.lists.items():
        if len(cards) != DECK_SIZE:
            yield f"/seats/{seat}/list", f"a deck must have {DECK_SIZE} cards", "CC-FORMAT-LEAGUE-1"


def _check_answers(table: Table) -> Faults:
    """Find answers given already that the rules would refuse."""
    for step in table.agenda:
        if not isinstance(step, BringingDecks | ConfirmingDecks | Drafting):
            continue
        for seat, cards in step.given.items():
            if not cards:  # a view hides the answers of others
                continue
            chosen = Keep(cards) if isinstance(step, Drafting) else BringDeck(cards)
            try:
                step.check_answer(table, Seat(int(seat)), DeckReady() if cards == READY_ANSWER else chosen)
            except IllegalMove as refused:
                yield f"/question/given/{seat}", f"seat {seat} cannot have answered this", refused.ruling.clauses[0]
            except Undetermined:
                continue


# ---- the end ---------------------------------------------------------------------------------------------------------


def _check_match_end(table: Table) -> Faults:
    if table.agenda:
        if table.winner != NOBODY or table.way:
            yield "/question", "the match is over, so no question can be open", "CC-END-1"
        return
    if not table.way:
        yield "/way", "a match that is over must say how it ended", "CC-END-1"
    elif (table.winner == NOBODY) != (table.way not in WINNING_WAYS):
        detail = (
            "a match that ended this way needs a winner"
            if table.way in WINNING_WAYS
            else "a match that ended in a draw has no winner"
        )
        yield "/winner", detail, END_CLAUSES[table.way]
    elif table.way == "all_in_hell":
        try:
            left = table.count_left_in_play(1 - table.winner)
        except Undetermined:
            return
        if left:
            yield (
                f"/seats/{1 - table.winner}",
                f"this player has lost only with all cards in hell, but {left} are not",
                "CC-END-1",
            )


WINNING_WAYS = ("all_in_hell", "conceded")


# ---- what is asked ---------------------------------------------------------------------------------------------------


def _check_flips(table: Table) -> Faults:
    """Find crush cards that are turned up although no pending step names them."""
    for seat in SEATS:
        odd = Counter(table.cards_at(FLIPPED[seat])) - Counter(find_flipped_cards(table.agenda, seat))
        for card in odd:
            yield (
                f"/seats/{seat}/flipped",
                f"{card} is turned up, but neither the question nor a pending step carries it out",
                "CC-CRUSH-3",
            )


def _check_phase(table: Table) -> Faults:
    """Find what is wrong with the phase of the turn, which lies beneath everything.

    If nothing else is asked, the match must not be over.
    """
    first = table.agenda[0]
    if not isinstance(first, CombatPhase | TacticPhase):
        return
    if first.seat != table.turn:
        yield "/question", "only the active player acts in this phase", "CC-TURN-1"
    if (table.phase == "tactic") != isinstance(first, TacticPhase):
        yield "/phase", "this question is not asked in this phase of the turn", "CC-TURN-1"
    if len(table.agenda) > 1:
        return
    if table.phase == "start":
        yield "/phase", "the start phase is already over when this question is asked", "CC-TURN-1"
    try:
        ended = find_result(table)
    except Undetermined:
        return
    if ended is not None:
        winner, way = ended
        yield (
            "/question",
            "the match is over" + ("" if winner == NOBODY else f": seat {winner} has won"),
            END_CLAUSES[way],
        )


def _check_question(table: Table, top: Step) -> Faults:
    """Find a question that nobody has to answer, since such a step resolves itself.

    Steps of chance are not checked, because a view cannot tell.
    """
    if isinstance(top, RollAgain) and Counter(top.before) - Counter(table.dice):
        yield "/question/dice", "these are not among the start dice that are not burned", "CC-AMB-9"
    if isinstance(top, StartDiceRoll):
        rolled = top.dice if top.which == "extra" else 0
        if top.extra + rolled > table.extra[top.seat]:
            yield "/question", f"seat {top.seat} has no more than {table.extra[top.seat]} additional dice", "CC-START-4"
    there = table.cards_at(top.place) if isinstance(top, CardNaming) else (UNCOUNTED_CARDS,)
    if isinstance(top, CardNaming) and UNCOUNTED_CARDS not in there and top.count > sum(map(is_back, there)):
        yield "/question/count", f"seat {top.seat} does not have this many unnamed cards", "KERNEL-CENSUS-1"
    if isinstance(top, ChanceStep):
        return
    try:
        awaited = top.awaited_seats(table)
    except Undetermined:
        return
    if not awaited:
        yield "/question", "no player would have to answer this question", (*top.clauses, "KERNEL-MOVE-1")[0]

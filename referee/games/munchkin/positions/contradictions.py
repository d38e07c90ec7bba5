"""Contradictions of a position, each with its place and the clause that it breaks.

Only what a position states is checked. What it leaves out may be anything. Clauses: MK-1.2, MK-2.1, MK-3.1, MK-4.1,
MK-4.5, MK-4.6, MK-5.3, MK-7.3, MK-7.7, MK-7.9, MK-7.12, MK-8.2, MK-8.6, MK-8.8, MK-9.6, MK-10.1, MK-10.3, MK-11.5,
MK-13.1, MK-13.2, MK-15.1, MK-17.3, MK-19.6, MK-19.7, MK-22.1, MK-26.1, MK-26.4, MK-26.10.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from referee.cardscript.table import UNCOUNTED_CARDS
from referee.engine.chance import ChanceStep
from referee.engine.positions.contradictions import Contradiction, build_contradiction
from referee.engine.rulebook.book import Text
from referee.engine.rulings import Undetermined
from referee.engine.steps import Step
from referee.games.munchkin.components import COMBAT, CURSES, FACES, PENDING, PLAYS, RIDES, TOP_LEVEL, TOWNSHIP
from referee.games.munchkin.positions.census import Pointers, find_contradictions
from referee.games.munchkin.positions.references import collect_played_cards
from referee.games.munchkin.rules.combat.combat_changed import Moment
from referee.games.munchkin.rules.combat.fighting import Fight
from referee.games.munchkin.rules.combat.fleeing import Fleeing
from referee.games.munchkin.rules.combat.rewards import Spoils
from referee.games.munchkin.rules.items.claiming import ClaimWindow
from referee.games.munchkin.rules.opening_doors import BehindTheDoor, OpenDoor
from referee.games.munchkin.rules.state_based_checks import (
    DualLapses,
    TooManyBig,
    TooManyInUse,
    TooManyTowns,
    find_correction_step,
)
from referee.games.munchkin.state import Table
from referee.games.munchkin.values import NOBODY, Combat, Deal

Fault = tuple[str, str | Text, str]  # where, what, which clause
Faults = Iterator[Fault]
LIMIT_FAULTS: dict[type[Step], tuple[str, str, str]] = {  # which member, what is wrong, which clause
    DualLapses: ("towns", "Dual Citizenship is in play without a citizenship", "MK-4.6"),
    TooManyTowns: ("towns", "too many citizenships: one is allowed, or two with Dual Citizenship", "MK-4.5"),
    TooManyInUse: ("in_use", "more items in use than slots or hands allow", "MK-7.3"),
    TooManyBig: ("items", "more Big items than the player may carry", "MK-7.7"),
}


def find_impossibilities(table: Table, pointers: Pointers) -> list[Contradiction]:
    """Return the contradictions of a position, each with place, reason and clause."""
    faults: list[Fault] = []
    for finding in find_contradictions(table, pointers):
        pointer = finding["places"][0] if finding["places"] else ""
        faults.append((pointer, finding["says"], finding["clause"]))
    for part in (
        _find_level_faults,
        _find_belonging_faults,
        _find_trade_faults,
        _find_departure_faults,
        _find_end_faults,
    ):
        faults += part(table)
    if table.combat is not None:
        faults += [*_find_combat_faults(table, table.combat), *_find_help_faults(table.combat)]
    if not faults and table.agenda:
        faults += [*_find_pending_faults(table), *_find_limit_faults(table), *_find_turn_faults(table)]
        faults += [] if faults else _find_question_faults(table, table.agenda[-1])
    return [build_contradiction(*fault) for fault in faults]


def _is_fully_specified(table: Table, *places: str) -> bool:
    """Return whether a position lists all cards of these places."""
    return not any(UNCOUNTED_CARDS in table.cards_at(place) for place in places)


# ---- players ---------------------------------------------------------------------------------------------------------


def _find_level_faults(table: Table) -> Faults:
    for seat, level in enumerate(table.levels):
        if level >= TOP_LEVEL and seat != table.winner:
            yield f"/seats/{seat}/level", f"a player who reaches level {TOP_LEVEL} has won", "MK-22.1"


def _find_belonging_faults(table: Table) -> Faults:
    for seat in range(table.rules.seats):
        towns = [
            FACES[card].town for card in table.cards_at(TOWNSHIP[seat]) if card != UNCOUNTED_CARDS and FACES[card].town
        ]
        if len(set(towns)) != len(towns):
            yield f"/seats/{seat}/towns", "a player cannot be a citizen of the same town twice", "MK-4.5"
        riding = [FACES[card].kind for card in table.cards_at(RIDES[seat]) if card != UNCOUNTED_CARDS]
        if riding.count("ride") > 1:
            yield f"/seats/{seat}/ride", "a player can have at most one ride", "MK-8.6"
        if riding and "ride" not in riding and _is_fully_specified(table, RIDES[seat]):
            yield f"/seats/{seat}/ride", "a ride enhancer must be attached to a ride", "MK-8.8"
        lying = [card for card in table.cards_at(PLAYS[seat]) if card != UNCOUNTED_CARDS and FACES[card].gold is None]
        attached = [card for item, card in table.attached.items() if item in table.cards_at(PLAYS[seat])]
        if Counter(lying) != Counter(attached):
            yield (
                f"/seats/{seat}/attached",
                "a card that is not an item must be attached to one of the items",
                "MK-7.12",
            )


def _find_trade_faults(table: Table) -> Faults:
    offering = [trade.by for trade in table.trades]
    for at, trade in enumerate(table.trades):
        if trade.by == trade.to:
            yield f"/trades/{at}/to", "a player cannot trade with themselves", "MK-7.9"
        if trade.by in offering[:at]:
            yield f"/trades/{at}/by", "a player can have only one open offer at a time", "MK-26.1"
        if trade.by in table.dead or trade.to in table.dead:
            yield f"/trades/{at}", "dead players cannot trade", "MK-19.7"


def _find_departure_faults(table: Table) -> Faults:
    for seat in table.gone:
        for name, places in (("items", PLAYS), ("towns", TOWNSHIP), ("ride", RIDES), ("curses", CURSES)):
            if any(card != UNCOUNTED_CARDS for card in table.cards_at(places[seat])):
                yield f"/seats/{seat}/{name}", f"seat {seat} has left the table, so nothing lies there", "MK-26.9"
    if table.gone and table.agenda and len(table.seats_at_table) < 2:
        yield "/left", "only one player is left, so that player has already won", "MK-26.9"
    if table.agenda and table.turn in table.gone:
        yield "/turn", f"seat {table.turn} has left the table and cannot have a turn", "MK-26.9"
    if table.combat is not None and set(table.combat.fighters) & set(table.gone):
        yield "/combat", "a player who has left the table cannot fight", "MK-26.9"


# ---- the combat ----------------------------------------------------------------------------------------------------


def _find_combat_faults(table: Table, combat: Combat) -> Faults:
    if combat.main != table.turn:
        yield "/combat/main", "the main player must be the active player", "MK-9.6"
    for at, foe in enumerate(combat.foes):
        if len(set(foe.enhancers)) != len(foe.enhancers):
            yield f"/combat/monsters/{at}/enhancers", "a monster cannot have the same enhancer twice", "MK-10.1"
    lying = table.cards_at(COMBAT)
    if _is_fully_specified(table, COMBAT):
        missing = [foe.card for foe in combat.foes if foe.card not in lying]
        missing += [card for foe in combat.foes for card in foe.enhancers if card not in lying]
        if missing:
            yield "/combat/lying", f"{missing[0]} is in the combat, so it must be listed here", "MK-2.1"
    for at, pair in enumerate(combat.to_flee):
        seat = int(pair.partition("/")[0])
        if seat not in combat.fighters or seat in table.dead:
            yield f"/combat/to_flee/{at}/seat", "only a living fighter can run away", "MK-17.3"
    if combat.to_flee and not any(isinstance(step, Fleeing) for step in table.agenda):
        yield "/combat/to_flee", "nobody can run away while the combat is still open", "MK-17.3"
    for at, seat in enumerate(combat.caught):
        if seat not in table.dead:
            yield f"/combat/died/{at}", f"seat {seat} is not dead", "MK-19.6"


def _find_help_faults(combat: Combat) -> Faults:
    if combat.helper == combat.main:
        yield "/combat/helper", "the main player cannot be the helper", "MK-13.1"
    if combat.forced and combat.helper == NOBODY:
        yield "/combat/drafted", "there is no helper who could have been forced", "MK-13.10"
    if combat.deal is not None and (combat.helper == NOBODY or combat.forced):
        yield "/combat/deal", "a deal needs a helper who has agreed to it", "MK-13.6"
    if combat.offer is not None:
        sides = {combat.asked, combat.offered_by}
        if combat.main not in sides or len(sides) != 2:
            yield "/combat/terms", "terms must be between the main player and one other player", "MK-13.2"
        elif combat.helper != NOBODY and combat.helper not in sides:
            yield "/combat/terms", f"seat {combat.helper} is already helping", "MK-13.1"
    for name, deal in (("deal", combat.deal), ("terms/deal", combat.offer)):
        if deal is not None:
            yield from _find_deal_faults(f"/combat/{name}", deal)
    for at, seat in enumerate(combat.swap_wanted):
        if seat not in combat.fighters or combat.helper == NOBODY:
            yield f"/combat/helper_first_wanted/{at}", "only two fighters can choose who runs away first", "MK-17.5"


def _find_deal_faults(pointer: str, deal: Deal) -> Faults:
    if deal.picks and (deal.all_of_them or deal.picks.count("helper") != deal.treasures):
        yield f"{pointer}/picks", "the helper must pick as many times as treasures were promised", "MK-13.6"


# ---- the end ---------------------------------------------------------------------------------------------------------


def _find_end_faults(table: Table) -> Faults:
    if table.agenda:
        if table.winner != NOBODY or table.way:
            yield "/question", "the match is over, so no question can be open", "MK-22.1"
    elif table.way == "level_ten":
        if table.winner == NOBODY:
            yield "/winner", "a match that was won at level 10 needs a winner", "MK-22.1"
        elif table.levels[table.winner] < TOP_LEVEL:
            yield f"/seats/{table.winner}/level", "the winner must have reached level 10", "MK-22.1"
    elif table.way == "last_one_left":
        if table.seats_at_table != (table.winner,):
            yield "/winner", "the winner must be the only one who has not left", "MK-26.9"
    elif table.way != "too_many_turns":
        yield "/way", "a match that is over must say how it ended", "MK-22.1"
    elif table.winner != NOBODY:
        yield "/winner", "a match that ended after too many turns has no winner", "MK-26.10"


# ---- the question ----------------------------------------------------------------------------------------------------


def _find_pending_faults(table: Table) -> Faults:
    """Yield cards being played that no pending step mentions."""
    if not _is_fully_specified(table, PENDING):
        return
    odd = Counter(table.cards_at(PENDING)) - Counter(collect_played_cards(table.agenda))
    for card in odd:
        yield "/pending", f"{card} is listed as being played, but no pending step plays it", "MK-2.1"


def _find_limit_faults(table: Table) -> Faults:
    """Yield limits that are exceeded at a moment.

    Within a play they are corrected when it is over (MK-7.11).
    """
    if not isinstance(table.agenda[-1], Moment):
        return
    wrong = find_correction_step(table)
    if wrong is not None:
        member, detail, clause = LIMIT_FAULTS[type(wrong)]
        yield f"/seats/{wrong.seat}/{member}", detail, clause  # type: ignore[attr-defined]


def _find_turn_faults(table: Table) -> Faults:
    """Yield contradictions between the running combat and the pending steps.

    A combat is fought, fled or rewarded, and no door is opened meanwhile. Only the active player opens one.
    """
    for step in table.agenda:
        if isinstance(step, OpenDoor) and table.turn not in (NOBODY, step.seat):
            yield "/question/seat", "only the active player opens the door", "MK-5.1"
    if table.combat is None:
        return
    running = sum(isinstance(step, Fight | Fleeing | Spoils) for step in table.agenda)
    if table.turn == NOBODY or not running:
        yield "/combat", "no combat can be running when this question is asked", "MK-9.6"
    elif running > 1:
        yield "/pending_steps", "only one combat can run at a time", "MK-9.6"
    elif any(isinstance(step, OpenDoor | BehindTheDoor) for step in table.agenda):
        yield "/question", "no door can be opened while a combat is running", "MK-5.3"


def _find_question_faults(table: Table, top: Step) -> Faults:
    """Yield contradictions of the open question with the seats that it waits for.

    A question that nobody has to answer settles itself. Steps of chance are skipped, because a view does not show
    whether
    they wait.
    """
    if isinstance(top, ChanceStep):
        return
    empty = table.combat is not None and not table.combat.foes and not table.rules.window_after_removal
    if empty and isinstance(top, Fight | ClaimWindow):
        yield "/combat/monsters", "a combat without monsters is over", "MK-11.5"
        return
    try:
        awaited = top.awaited_seats(table)
    except Undetermined:
        return
    if not awaited:
        yield "/question", "no player would have to answer this question", "MK-26.4"
    elif (dead := [seat for seat in awaited if seat in table.dead]) and isinstance(top, Moment):
        yield "/dead", f"seat {dead[0]} is dead and cannot be asked", "MK-19.7"

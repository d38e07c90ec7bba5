"""Check that a position makes sense: seats, cards and texts exist, steps fit.

Steps may be written as the codec has them. A position that passes these checks can be ruled on without an error.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.positions.steps import build_card_check, build_seat_check, check_step_fields
from referee.cardscript.questions import SimultaneousPrompt
from referee.cardscript.table import UNCOUNTED_CARDS
from referee.engine.chance import Roll, Shuffle
from referee.engine.codec import DecodeError, encode, escape_name, quote_value
from referee.engine.positions.form import SchemaError, build_error, find_named_errors
from referee.engine.positions.questions import Steps
from referee.engine.positions.rows import Position
from referee.engine.steps import Frame, Step
from referee.engine.zones import Cards
from referee.games.creature_crush.components import (
    ALL_FIELD_PLACES,
    DRAFTS,
    HANDS,
    HELLS,
    SEAT_BY_PLACE,
    SEATS,
    SOUGHT,
    find_box_cards,
)
from referee.games.creature_crush.positions.questions.happened import TRIGGER_KINDS, check_trigger_cards
from referee.games.creature_crush.positions.texts import check_bound_numbers, find_lines
from referee.games.creature_crush.rules.actions.looking import DiscardChoice, LookingAtTop, RevealingTop
from referee.games.creature_crush.rules.actions.summoning import MOVED, REVIVED, TAKEN, Placing
from referee.games.creature_crush.rules.chain import Chain, FlippedCardDisposal, ResponseWindow
from referee.games.creature_crush.rules.combat.damage import Strike
from referee.games.creature_crush.rules.combat.losing import (
    Destroying,
    DirectHit,
    Discarding,
    Milling,
    RandomDestruction,
)
from referee.games.creature_crush.rules.drawing import CardNaming
from referee.games.creature_crush.rules.setup import StartingPlayerRoll
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import NOBODY, TriggerEvent

SEAT_FIELDS = ("seat", "next", "waiting")
SEAT_OR_NOBODY_FIELDS = ("by",)
CARD_FIELDS = ("card", "cards", "creature", "target", "named")
FREE_FIELDS = ("bound", "noun", "refs", "given", "known")  # fields that are checked elsewhere, or may be anything
PLAYERS = ("me", "opponent")
# Steps that may set something off.
TRIGGERING_STEPS = (
    Execution, Placing, Destroying, DirectHit, DiscardChoice, Discarding, LookingAtTop, Milling, RandomDestruction,
    RevealingTop,
)  # fmt: skip


# ---- the members ---------------------------------------------------------------------------------------------------


def find_member_errors(p: Position) -> Iterator[SchemaError]:
    """Find members that do not fit each other."""
    yield from find_named_errors(p["named"], p["cards"])
    if p.written.get("turn", NOBODY) is None and p["start_dice"]:
        yield build_error("/start_dice", "no turn has begun, so no dice can lie here")


# ---- the pending steps -----------------------------------------------------------------------------------------------


def find_flipped_cards(agenda: Steps, seat: int) -> Cards:
    """Return the turned-up crush cards of a seat that the steps name, in their order."""
    found: list[str] = []
    for step in agenda:
        if isinstance(step, Chain):
            found += [link.card for link in step.links if link.text == "flip" and not link.at and link.by == seat]
        elif isinstance(step, FlippedCardDisposal) and step.seat == seat:
            found.append(step.card)
    return tuple(found)


def iterate_parts(value: Any) -> Iterator[Any]:
    """Iterate over everything that a step is made of: itself, and what it carries."""
    if is_dataclass(value):
        yield value
        for each in fields(value):
            yield from iterate_parts(getattr(value, each.name))
    elif isinstance(value, tuple):
        for each in value:
            yield from iterate_parts(each)
    elif isinstance(value, dict):
        for each in value.values():
            yield from iterate_parts(each)


def check_steps(agenda: Steps, beneath: int, table: Table) -> None:
    """Check that the pending steps make sense.

    Raises DecodeError with the place if they do not. `beneath` is the number of steps that a position names as pending.
    The question stands for the rest.
    """
    known = find_box_cards(table.rules)
    checked = {
        **dict.fromkeys(SEAT_FIELDS, build_seat_check(len(SEATS))),
        **dict.fromkeys(SEAT_OR_NOBODY_FIELDS, build_seat_check(len(SEATS), least=-1)),
        **dict.fromkeys(CARD_FIELDS, build_card_check(known)),
    }
    for at, step in enumerate(agenda):
        pointer = f"/pending_steps/{beneath - 1 - at}" if at < beneath else "/question"
        if not step.TAG.startswith(("cc.", "cards.")) and not isinstance(step, Frame | Shuffle):
            raise DecodeError(f"{pointer}/type", f"{step.TAG} is not a step of this game")
        check_step_fields(encode(step), checked, pointer, FREE_FIELDS)
        for part in iterate_parts(step):
            _check_part(part, table, pointer)
        _check_context(step, agenda[:at], table, pointer)


def _check_part(part: Any, table: Table, pointer: str) -> None:
    """Check that the texts, events, places and dice of a step exist."""
    match part:
        case Execution():
            _check_text(part, table, pointer)
        case TriggerEvent(kind=kind, refs=refs):
            if kind not in TRIGGER_KINDS:
                raise DecodeError(f"{pointer}/kind", f"there is no event {quote_value(kind)}")
            check_trigger_cards(kind, refs, table, f"{pointer}/about")
        case ResponseWindow(passed=passed):
            if passed not in (0, 1, 2):
                raise DecodeError(f"{pointer}/windows", "at most two players can have passed")
        case Strike():
            for name in ("place", "target_place"):
                place = getattr(part, name)
                if place and place not in ALL_FIELD_PLACES:  # empty: the creature has left the field since
                    raise DecodeError(f"{pointer}/{name}", f"there is no place {quote_value(place)}")
        case Roll(dice=dice, sides=sides):
            if not 1 <= dice <= 5 or sides != 6:
                raise DecodeError(f"{pointer}/dice", "one to five six-sided dice must be rolled")


def check_delayed_effects(table: Table) -> None:
    """Check that the texts put off exist. Raises DecodeError with the place if not."""
    for at, each in enumerate(table.later):
        _check_text(each.effect, table, f"/later/{at}")


def _check_text(text: Execution, table: Table, pointer: str) -> None:
    """Check that a card has such a text, and that its names stand for something."""
    lines = find_lines(text.card, text.text)
    if not lines or not 0 <= text.at <= len(lines):
        raise DecodeError(pointer, f"{text.card} has no such line in its text {quote_value(text.text)}")
    if text.by not in SEATS:
        raise DecodeError(pointer, "a text must be carried out for one of the two players")
    check_bound_numbers(text.bound, pointer)
    for name, values in text.bound.items():
        for at, value in enumerate(values):
            place = f"{pointer}/known/{escape_name(name)}/{at}"
            if name in PLAYERS and value not in SEATS:
                raise DecodeError(place, f"{quote_value(value)} is not a player")
            if name.startswith("at/") and value not in ALL_FIELD_PLACES:
                raise DecodeError(place, f"there is no place {quote_value(value)}")
            if not name.startswith("at/"):
                _check_value(value, table, place)


def _check_value(value: Any, table: Table, pointer: str) -> None:
    """Check that a value is a card, a back, a place or a number."""
    if (
        isinstance(value, str)
        and value not in SEAT_BY_PLACE
        and (wrong := build_card_check(find_box_cards(table.rules))(value))
    ):
        raise DecodeError(pointer, wrong)


def _check_context(step: Step, beneath: Steps, table: Table, pointer: str) -> None:
    """Check that what a step continues lies beneath it, and what it moves exists."""
    if isinstance(step, TRIGGERING_STEPS) and not any(isinstance(each, Frame) for each in beneath):
        raise DecodeError(pointer, "a frame must lie beneath it to hold the effects that it sets off, but is missing")
    if isinstance(step, Placing):
        _check_placing(step, table, pointer)
    if hasattr(step, "called") and not any(isinstance(each, Execution) for each in beneath):
        raise DecodeError(pointer, "the card text that this belongs to must lie beneath it, but is missing")
    if isinstance(step, SimultaneousPrompt) and sorted(step.waiting) != [*SEATS]:
        raise DecodeError(f"{pointer}/waiting", "this is asked of both players")
    if isinstance(step, CardNaming) and step.count < 1:
        raise DecodeError(f"{pointer}/count", "at least one card must be named")
    if isinstance(step, CardNaming) and step.place not in (*HANDS, *SOUGHT, *DRAFTS):
        raise DecodeError(f"{pointer}/place", "cards are named only in a hand, a draft or a deck that is searched")
    if isinstance(step, StartingPlayerRoll) and not len(step.cast) < len(step.contenders):
        raise DecodeError(f"{pointer}/cast", "everybody has already rolled, so no roll is due")
    if isinstance(step, FlippedCardDisposal) and not find_lines(step.card, "flip"):
        raise DecodeError(f"{pointer}/card", "only crush cards can be flipped")


def _check_placing(step: Placing, table: Table, pointer: str) -> None:
    """Check that the creature to be brought to a place is where it comes from."""
    if step.how not in (REVIVED, TAKEN, MOVED):
        raise DecodeError(f"{pointer}/how", f"{quote_value(step.how)} is not a way to bring a creature to a place")
    own, other = table.cards_at(HELLS[step.seat]), table.cards_at(HELLS[1 - step.seat])
    there = (
        step.creature in (*own, *other) or UNCOUNTED_CARDS in own  # as `find_hell` looks for it
        if step.how == REVIVED
        else step.creature in table.places_by_creature
    )
    if not there:
        raise DecodeError(f"{pointer}/creature", f"{step.creature} is not in the place that it would have to come from")

"""Whether a position makes sense: seats, cards and texts that exist, steps where they belong.

Steps may be written as the codec has them; whatever passes here can be asked about without an accident.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from referee.cardscript.language.interpreter import CarryOut
from referee.cardscript.positions.schema_check import Error, error
from referee.cardscript.positions.steps import Steps, check_names, no_card, no_seat
from referee.cardscript.table import SOME
from referee.engine.chance import Roll, Shuffle
from referee.engine.codec import Unreadable, encode
from referee.engine.steps import Frame, Step
from referee.engine.zones import Cards
from referee.games.creature_crush.components import HELLS, ON_FIELD, SEAT_OF, SEATS, box
from referee.games.creature_crush.positions.questions.happened import KINDS, check_refs
from referee.games.creature_crush.positions.texts import lines_of
from referee.games.creature_crush.rules.actions.summoning import MOVED, REVIVED, TAKEN, Placing
from referee.games.creature_crush.rules.chain import Chain, Spending, Window
from referee.games.creature_crush.rules.combat.damage import Strike
from referee.games.creature_crush.rules.combat.losing import Destroying, DirectHit, Discarding, Milling, OneAtRandom
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import NOBODY, Happening

Data = dict[str, Any]
SEAT_FIELDS = ("seat", "next", "waiting")
OR_NOBODY = ("by",)
CARD_FIELDS = ("card", "cards", "creature", "target", "named")
FREE = ("bound", "noun", "refs", "given", "known")  # what stands here is looked at apart, or may be anything
PLAYERS = ("me", "opponent")
NOTING = (CarryOut, Placing, Destroying, DirectHit, Discarding, Milling, OneAtRandom)  # what may set something off


# ---- the members ---------------------------------------------------------------------------------------------------


def strangers(data: Data) -> list[Error]:
    """Members that do not go with each other."""
    errors = []
    for name in ("named", "entered"):
        if len(set(data.get(name, ()))) != len(data.get(name, ())):
            errors.append(error(f"/{name}", "each one once"))
    if data.get("named") and data.get("cards") != "table":
        errors.append(error("/named", "cards are named to the referee only where real cards are dealt"))
    for seat, player in enumerate(data["seats"]):
        if len(set(player.get("list", ()))) != len(player.get("list", ())):
            errors.append(error(f"/seats/{seat}/list", "each card once"))
    if data.get("turn", NOBODY) is None and data.get("start_dice"):
        errors.append(error("/start_dice", "nobody is on turn"))
    return errors


# ---- the pending steps -----------------------------------------------------------------------------------------------


def held(agenda: Steps, seat: int) -> Cards:
    """The crush cards of a seat that are turned up, by the steps that carry them out, in the order of their flips."""
    found: list[str] = []
    for step in agenda:
        if isinstance(step, Chain):
            found += [link.card for link in step.links if link.text == "flip" and link.by == seat]
        elif isinstance(step, Spending) and step.seat == seat:
            found.append(step.card)
    return tuple(found)


def parts(value: Any) -> Iterator[Any]:
    """Everything that a step is made of: itself, and what it carries."""
    if is_dataclass(value):
        yield value
        for each in fields(value):
            yield from parts(getattr(value, each.name))
    elif isinstance(value, tuple):
        for each in value:
            yield from parts(each)
    elif isinstance(value, dict):
        for each in value.values():
            yield from parts(each)


def senseless(agenda: Steps, beneath: int, table: Table) -> None:
    """Raises Unreadable where a pending step makes no sense, with its place.

    `beneath` is how many of the steps a position names as pending; the question stands for the rest.
    """
    known = box(table.rules)
    checked = {
        **dict.fromkeys(SEAT_FIELDS, no_seat(len(SEATS))),
        **dict.fromkeys(OR_NOBODY, no_seat(len(SEATS), least=-1)),
        **dict.fromkeys(CARD_FIELDS, no_card(known)),
    }
    for at, step in enumerate(agenda):
        pointer = f"/pending_steps/{beneath - 1 - at}" if at < beneath else "/question"
        if not step.TAG.startswith(("cc.", "cards.")) and not isinstance(step, Frame | Shuffle):
            raise Unreadable(f"{pointer}/type", f"{step.TAG} is no step of this game")
        check_names(encode(step), checked, pointer, FREE)
        for part in parts(step):
            _check_part(part, table, pointer)
        _check_place(step, agenda[:at], table, pointer)


def _check_part(part: Any, table: Table, pointer: str) -> None:
    """Whether what a step is made of is there: texts, events, places, dice."""
    match part:
        case CarryOut():
            _check_text(part, table, pointer)
        case Happening(kind=kind, refs=refs):
            if kind not in KINDS:
                raise Unreadable(f"{pointer}/kind", f"no event is called {kind!r}")
            check_refs(kind, refs, table, f"{pointer}/about")
        case Window(passed=passed):
            if passed not in (0, 1, 2):
                raise Unreadable(f"{pointer}/windows", "two players can pass")
        case Strike():
            for name in ("place", "target_place"):
                place = getattr(part, name)
                if place and place not in ON_FIELD:  # empty: it has left the field since
                    raise Unreadable(f"{pointer}/{name}", f"no place is called {place!r}")
        case Roll(dice=dice, sides=sides):
            if not 1 <= dice <= 5 or sides != 6:
                raise Unreadable(f"{pointer}/dice", "one to five dice with six sides are rolled")


def _check_text(text: CarryOut, table: Table, pointer: str) -> None:
    """Whether a card has such a text, and what its names stand for is there."""
    lines = lines_of(text.card, text.text)
    if not lines or not 0 <= text.at <= len(lines):
        raise Unreadable(pointer, f"{text.card} has no such line in a text called {text.text!r}")
    if text.by not in SEATS:
        raise Unreadable(pointer, "a text is carried out for somebody")
    for name, values in text.bound.items():
        for at, value in enumerate(values):
            place = f"{pointer}/known/{name}/{at}"
            if name in PLAYERS and value not in SEATS:
                raise Unreadable(place, f"{value!r} is no player")
            if name.startswith("at/") and value not in ON_FIELD:
                raise Unreadable(place, f"no place is called {value!r}")
            if (name == "x" or name.startswith("dice/")) and type(value) is not int:
                raise Unreadable(place, f"{value!r} is no number of dice or pips")
            if not name.startswith("at/"):
                _check_value(value, table, place)


def _check_value(value: Any, table: Table, pointer: str) -> None:
    """A card, a back or a place; or a number."""
    if isinstance(value, str) and value not in SEAT_OF and (wrong := no_card(box(table.rules))(value)):
        raise Unreadable(pointer, wrong)


def _check_place(step: Step, beneath: Steps, table: Table, pointer: str) -> None:
    """Whether what a step goes on with lies beneath it, and what it brings somewhere is there."""
    if isinstance(step, NOTING) and not any(isinstance(each, Frame) for each in beneath):
        raise Unreadable(pointer, "a frame is missing beneath it, in which what it sets off would wait")
    if isinstance(step, Placing):
        _check_placing(step, table, pointer)
    if hasattr(step, "called") and not any(isinstance(each, CarryOut) for each in beneath):
        raise Unreadable(pointer, "the card text that this goes on with is missing beneath it")
    if isinstance(step, Spending) and not lines_of(step.card, "flip"):
        raise Unreadable(f"{pointer}/card", "only crush cards are flipped")


def _check_placing(step: Placing, table: Table, pointer: str) -> None:
    """Whether the creature that is brought to a place is where it is brought from."""
    if step.how not in (REVIVED, TAKEN, MOVED):
        raise Unreadable(f"{pointer}/how", f"nothing is brought anywhere by being {step.how!r}")
    hell = table.place(HELLS[step.seat])
    there = step.creature in hell or SOME in hell if step.how == REVIVED else step.creature in table.spots
    if not there:
        raise Unreadable(f"{pointer}/creature", f"{step.creature} is not where it would come from")

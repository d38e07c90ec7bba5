"""The steps by the names that a written position uses, and what lies beneath a question unless it says otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, dataclass, fields
from typing import Any

from referee.games.monster_combat.rules.attacks import Lightning, Struck
from referee.games.monster_combat.rules.drawing import Draw, LookAtTop
from referee.games.monster_combat.rules.ending import EndCheck, Fall, LoseHand
from referee.games.monster_combat.rules.happenings import AfterEvent, EventPhase
from referee.games.monster_combat.rules.monsters import MonsterCheck
from referee.games.monster_combat.rules.play_a_card import PlayPhase, RefillHand
from referee.games.monster_combat.rules.setup import Deal, FirstHands, Lot, Opening
from referee.games.monster_combat.rules.theft import Theft
from referee.games.monster_combat.rules.turn import DrawPhase, EndOfTurn, PassTurn, Surplus, TurnBegins
from referee.games.monster_combat.state import NOBODY, Table
from referee.kernel.agenda import Step
from referee.kernel.chance import Shuffle
from referee.kernel.codec import decode_named, encode, named
from referee.kernel.facts import Event
from referee.kernel.rulings import Unknown
from referee.kernel.seats import Seat

ASKED: dict[str, type[Step]] = {  # what a person, or the cards, can be asked
    "play": PlayPhase,
    "parry": Struck,
    "lightning": Lightning,
    "discard_down": Surplus,
    "revive_draw": RefillHand,
    "draw": DrawPhase,
    "draw_more": Draw,
    "deal": Deal,
    "event": EventPhase,
    "steal": Theft,
    "lose_hand": LoseHand,
    "first_player": Lot,
    "shuffle": Shuffle,
}
PENDING: dict[str, type[Step]] = {  # what can only wait beneath
    "end_of_turn": EndOfTurn,
    "pass_turn": PassTurn,
    "turn_begins": TurnBegins,
    "after_event": AfterEvent,
    "end_check": EndCheck,
    "fall": Fall,
    "monster_check": MonsterCheck,
    "look_at_top": LookAtTop,
    "first_hands": FirstHands,
    "opening": Opening,
}
STEPS = {**ASKED, **PENDING}
NAMES = {step: name for name, step in STEPS.items()}
OWN_TURN = ("play", "discard_down", "draw", "event", "after_event", "turn_begins")


@named("mc.Unasked")
@dataclass(frozen=True)
class Unasked(Step):
    """A position leaves out which question is open (KERNEL-POSITION-1)."""

    def awaits(self, state: Any) -> frozenset[Seat]:
        raise Unknown("which_question")

    def resolve(self, state: Any) -> Iterator[Event]:
        raise Unknown("which_question")


def beneath(step: Step, turn: int | None) -> tuple[Step, ...]:
    """What waits beneath a question in the ordinary course of a turn; nothing for the questions of the setup."""
    if isinstance(step, Surplus):
        return (PassTurn(),)
    if isinstance(step, Struck) and step.by == "sword":
        return (EndOfTurn(), EndCheck())
    if isinstance(step, Struck):
        return (EndOfTurn(), AfterEvent(step.seat), EndCheck())
    if isinstance(step, LoseHand) and step.seat == turn:
        return (EndOfTurn(), AfterEvent(step.seat))
    if isinstance(step, LoseHand):
        return (EndOfTurn(), EndCheck())
    if isinstance(step, Deal | Lot | Shuffle):
        return ()
    return (EndOfTurn(),)


def written_step(step: Step) -> dict[str, Any]:
    """A step as a position says it: its name under `asks`, and the fields that differ from what they usually are."""
    usual = {part.name: part.default for part in fields(step) if part.default is not MISSING}  # type: ignore[arg-type]
    said = {name: value for name, value in encode(step).items() if name not in usual or value != usual[name]}
    said.pop("type")
    return {"asks": NAMES[type(step)], **said}


def read_step(data: dict[str, Any], turn: int | None, pointer: str) -> Step:
    """The step that a position names. Raises Unreadable (codec) with the place and the reason."""
    name = data["asks"]
    given = {key: value for key, value in data.items() if key != "asks"}
    if name in OWN_TURN and turn not in (None, NOBODY):
        given.setdefault("seat", turn)
    return decode_named({"type": STEPS[name].TAG, **given}, Step, pointer)


def seats_named(step: Step) -> tuple[int, ...]:
    """The seats that a step speaks of."""
    found: list[int] = []
    for name in ("seat", "by", "victim", "thief", "order"):
        value = getattr(step, name, None)
        found += [value] if type(value) is int else list(value) if isinstance(value, tuple) else []
    return tuple(found)


def agenda_of(table_turn: int | None, question: Step, pending: tuple[Step, ...] | None) -> tuple[Step, ...]:
    """The agenda with this question on top; what waits beneath is given nearest first, or the ordinary course."""
    rest = beneath(question, table_turn) if pending is None else tuple(reversed(pending))
    return (*rest, question)


def written_agenda(table: Table) -> dict[str, Any]:
    """The members `question` and `pending` of a written position."""
    if not table.agenda:
        return {"question": None}
    *rest, top = table.agenda
    if isinstance(top, Unasked):
        return {}
    said: dict[str, Any] = {"question": written_step(top)}
    if tuple(rest) != beneath(top, table.turn):
        said["pending"] = [written_step(step) for step in reversed(rest)]
    return said

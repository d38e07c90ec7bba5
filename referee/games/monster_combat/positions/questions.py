"""The steps by their names in a written position, and the steps below a question."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import MISSING, dataclass, fields
from typing import Any

from referee.engine.chance import Shuffle
from referee.engine.codec import decode_named, encode, named
from referee.engine.events import Event
from referee.engine.rulings import Undetermined
from referee.engine.seats import Seat
from referee.engine.steps import Step
from referee.engine.zones import is_back
from referee.games.monster_combat.components import MAGNETS_BY_CARD, attack_strength_of, design_name
from referee.games.monster_combat.rules.attacks import LightningAttack, PendingAttack
from referee.games.monster_combat.rules.drawing import CardDrawing, DeckTopReveal
from referee.games.monster_combat.rules.ending import DefeatCheck, EndCheck, HandLoss
from referee.games.monster_combat.rules.monsters import MonsterCheck
from referee.games.monster_combat.rules.play_a_card import PlayPhase, RefillHand
from referee.games.monster_combat.rules.setup import Deal, FirstHands, FirstPlayerLot, SetupStart
from referee.games.monster_combat.rules.theft import Theft
from referee.games.monster_combat.rules.triggers import AfterEvent, EventPhase
from referee.games.monster_combat.rules.turn import DrawPhase, EndOfTurn, PassTurn, SurplusDiscard, TurnStart
from referee.games.monster_combat.state import DISCARD, FIRST_HAND_SIZE, HAND_LIMIT, NOBODY, SOME, Table

ASKABLE_STEPS: dict[str, type[Step]] = {  # questions to a player or to chance
    "play": PlayPhase,
    "parry": PendingAttack,
    "lightning": LightningAttack,
    "discard_down": SurplusDiscard,
    "revive_draw": RefillHand,
    "draw": DrawPhase,
    "draw_more": CardDrawing,
    "deal": Deal,
    "event": EventPhase,
    "steal": Theft,
    "lose_hand": HandLoss,
    "first_player": FirstPlayerLot,
    "shuffle": Shuffle,
}
PENDING_STEPS: dict[str, type[Step]] = {  # steps that can only wait beneath a question
    "end_of_turn": EndOfTurn,
    "pass_turn": PassTurn,
    "turn_begins": TurnStart,
    "after_event": AfterEvent,
    "end_check": EndCheck,
    "fall": DefeatCheck,
    "monster_check": MonsterCheck,
    "look_at_top": DeckTopReveal,
    "first_hands": FirstHands,
    "opening": SetupStart,
}
STEPS_BY_NAME = {**ASKABLE_STEPS, **PENDING_STEPS}
NAMES_BY_STEP = {step: name for name, step in STEPS_BY_NAME.items()}
OWN_TURN_QUESTIONS = ("play", "discard_down", "draw", "event", "after_event", "turn_begins")


@named("mc.Unasked")
@dataclass(frozen=True)
class UnknownQuestion(Step):
    """The question of a position that leaves out which question is open.

    KERNEL-POSITION-1: What a position leaves out is unknown.
    """

    def awaited_seats(self, state: Any) -> frozenset[Seat]:
        raise Undetermined("which_question")

    def resolve(self, state: Any) -> Iterator[Event]:
        raise Undetermined("which_question")


@named("mc.Unsaid")
@dataclass(frozen=True)
class UndeterminedQuestion(Step):
    """A question of which a position leaves out something that decides.

    What is left out does not follow from the rest. `need` is the key of the text that asks for it, `asks` the name of
    the question, `said` what the position says of it.
    """

    asks: str
    said: dict[str, int]
    need: str

    def awaited_seats(self, state: Any) -> frozenset[Seat]:
        raise Undetermined(self.need)

    def resolve(self, state: Any) -> Iterator[Event]:
        raise Undetermined(self.need)


def step_type_of(step: Step) -> type[Step]:
    """Return which step of the game this is, even if a position gives it only in part."""
    return STEPS_BY_NAME[step.asks] if isinstance(step, UndeterminedQuestion) else type(step)


def build_steps_beneath(step: Step, turn: int | None) -> tuple[Step, ...]:
    """Return the steps that usually wait beneath a question in a turn.

    Nothing waits beneath the questions of the setup.
    """
    if step_type_of(step) is SurplusDiscard:
        return (PassTurn(),)
    if isinstance(step, PendingAttack) and step.by not in ("sword", None):
        return (EndOfTurn(), AfterEvent(step.seat))
    if isinstance(step, HandLoss) and step.seat == turn:
        return (EndOfTurn(), AfterEvent(step.seat))
    if issubclass(step_type_of(step), Deal | FirstPlayerLot | Shuffle):
        return ()
    return (EndOfTurn(),)


ALWAYS_WRITTEN = ("strength", "by", "all_parried", "count")  # fields that decide, written even if they are as usual


def encode_step(step: Step) -> dict[str, Any]:
    """Return a step as a position writes it.

    The result has the step's name under `asks`, the fields that decide, and those that are not as usual.
    """
    if isinstance(step, UndeterminedQuestion):
        return {"asks": step.asks, **step.said}
    fixed = FIXED_FIELDS.get(NAMES_BY_STEP[type(step)], {})
    usual = {part.name: part.default for part in fields(step) if part.default is not MISSING}  # type: ignore[arg-type]
    usual = {name: value for name, value in usual.items() if name not in ALWAYS_WRITTEN} | fixed
    written = {name: value for name, value in encode(step).items() if name not in usual or value != usual[name]}
    written.pop("type")
    return {"asks": NAMES_BY_STEP[type(step)], **{name: value for name, value in written.items() if value is not None}}


def decode_step(data: dict[str, Any], table: Table, pointer: str) -> Step:
    """Return the step that a position names.

    What it leaves out is taken from the table if it follows from it, and asked for otherwise. Raises DecodeError
    (codec) with the place and the reason.
    """
    name = data["asks"]
    said = {key: value for key, value in data.items() if key != "asks"}
    given = {**FIXED_FIELDS.get(name, {}), **said}
    need = ""
    if name in OWN_TURN_QUESTIONS and "seat" not in given and table.turn != NOBODY:
        need = "whose_turn" if table.turn is None else ""
        given["seat"] = table.turn or 0
        said = said if need else {**said, "seat": given["seat"]}
    for part, follows in INFERENCES.get(name, {}).items():
        if part not in given:
            given[part] = follows(table, given)
    if given.get("count", 1) is None:
        given["count"], need = 1, need or "how_many_cards"
    step = decode_named({"type": STEPS_BY_NAME[name].TAG, **given}, Step, pointer)
    return UndeterminedQuestion(name, said, need) if need else step


# ---- what follows from the rest of a position ------------------------------------------------------------------

Given = dict[str, Any]
FIXED_FIELDS: dict[str, Given] = {  # what the rules fix
    "draw": {"count": 1, "spare": 0},
    "deal": {"spare": 0},
    "draw_more": {"spare": 1},
}


def find_hand_size(table: Table, seat: Any) -> int | None:
    """Count the cards that a seat holds, or return None if a position does not say."""
    is_known = type(seat) is int and seat in table.seats and SOME not in table.cards_in_hand(seat)
    return len(table.cards_in_hand(seat)) if is_known else None


def infer_attacker(table: Table, given: Given) -> str | None:
    """Infer what attacks.

    In variant 2 it is a monster. In variant 1 it is the event if the player on turn is attacked, else a sword.

    MC-V1-SWORD-1: A sword attacks the next player.
    """
    if table.rules.is_against_monsters:
        return "monster"
    if table.turn is None:
        return None
    return "event" if given.get("seat") == table.turn else "sword"


def infer_strength(table: Table, _given: Given) -> int | None:
    """Infer how many hearts an attack costs: one in variant 1, else by the monster.

    MC-V2-MONSTER-3: The first five monsters strike for one heart, all others for two.
    """
    if not table.rules.is_against_monsters:
        return 1
    return None if table.monster is None else attack_strength_of(table.monster)


def infer_all_parried(table: Table, given: Given) -> bool | None:
    """Infer whether all who were hit by lightning have parried so far.

    It is so if nobody has answered yet. Return None if it does not follow.

    MC-AMB-11: If someone is immune, not all parried.
    """
    others = [seat for seat in table.seats if seat != given.get("by")]
    if any(table.immune[seat] and table.hearts[seat] for seat in others):
        return False
    order = given.get("order")
    return True if isinstance(order, list) and all(seat in order for seat in others) else None


def infer_stolen_count(table: Table, given: Given) -> int | None:
    """Infer how many cards are stolen from the thief card last played.

    They are no more than the victim holds. Return None if it does not follow.

    MC-V1-THIEF-1: A thief takes one card of the next player's hand for each magnet.
    """
    discard, held = table.cards_at(DISCARD), find_hand_size(table, given.get("victim"))
    if not discard or any(map(is_back, discard)) or design_name(discard[-1]) not in MAGNETS_BY_CARD:
        return None
    shown = MAGNETS_BY_CARD[design_name(discard[-1])]
    return shown if shown == 1 else None if held is None else min(shown, max(held, 1))


def infer_deal_count(table: Table, given: Given) -> int | None:
    """Infer how many cards are missing from a first hand.

    MC-SETUP-5: A hand starts as five cards off the draw pile.
    """
    held = find_hand_size(table, given.get("seat"))
    return None if held is None else max(FIRST_HAND_SIZE - held, 1)


def infer_surplus(table: Table, given: Given) -> int | None:
    """Infer how many cards a hand has above the limit.

    MC-TURN-END-1: A player who ends a turn with more than seven cards gives up cards down to seven.
    """
    held = find_hand_size(table, given.get("seat"))
    return None if held is None else max(held - HAND_LIMIT, 1)


INFERENCES: dict[str, dict[str, Callable[[Table, Given], Any]]] = {
    "parry": {"by": infer_attacker, "strength": infer_strength},
    "lightning": {"all_parried": infer_all_parried},
    "draw_more": {"count": lambda _table, _given: None},
    "steal": {"count": infer_stolen_count},
    "deal": {"count": infer_deal_count},
    "discard_down": {"count": infer_surplus},
}


def collect_named_seats(step: Step) -> tuple[int, ...]:
    """Collect the seats that a step names."""
    found: list[int] = []
    for name in ("seat", "by", "victim", "thief", "order"):
        value = step.said.get(name) if isinstance(step, UndeterminedQuestion) else getattr(step, name, None)
        found += [value] if type(value) is int else list(value) if isinstance(value, tuple) else []
    return tuple(found)


def build_step_stack(table_turn: int | None, question: Step, pending: tuple[Step, ...] | None) -> tuple[Step, ...]:
    """Build the agenda with this question on top.

    `pending` are the steps beneath it, nearest first. If it is None, the usual ones are taken.
    """
    rest = build_steps_beneath(question, table_turn) if pending is None else tuple(reversed(pending))
    return (*rest, question)


def encode_agenda(table: Table) -> dict[str, Any]:
    """Return the members `question` and `pending` of a written position."""
    if not table.agenda:
        return {"question": None}
    *rest, top = table.agenda
    if isinstance(top, UnknownQuestion):
        return {}
    data: dict[str, Any] = {"question": encode_step(top)}
    if tuple(rest) != build_steps_beneath(top, table.turn):
        data["pending"] = [encode_step(step) for step in reversed(rest)]
    return data

"""Checks that the seats, cards, texts and steps of a position exist and fit.

Steps may be written as the codec stores them. A position that passes can be queried without a crash.
"""

from __future__ import annotations

from typing import Any

from referee.cardscript.language.alternatives import CHOSEN_ALTERNATIVE
from referee.cardscript.language.interpreter import Execution
from referee.cardscript.language.repeating import COUNTER
from referee.cardscript.positions.steps import Steps, build_card_check, build_seat_check, check_step_fields
from referee.cardscript.questions import ChoicePrompt
from referee.cardscript.table import UNCOUNTED_CARDS
from referee.engine.chance import Roll, Shuffle
from referee.engine.codec import DecodeError, encode, escape_name, quote_value
from referee.engine.positions.form import SchemaError, build_error, find_named_errors
from referee.engine.positions.rows import Position
from referee.engine.steps import Step
from referee.engine.zones import Cards, is_back
from referee.games.munchkin.components import DECKS, DOORS, FACES, HANDS, PROGRAMS, TREASURES
from referee.games.munchkin.positions.questions import BOTTOM_STEPS
from referee.games.munchkin.rules.cards.cursing import CurseStrike, CurseWindow
from referee.games.munchkin.rules.cards.playing import FinishPlay
from referee.games.munchkin.rules.combat.fighting import Fight, MonsterArrival
from referee.games.munchkin.rules.combat.fleeing import Fleeing
from referee.games.munchkin.rules.combat.rewards import STAGES, Sharing, Spoils
from referee.games.munchkin.rules.combat.rolling import AfterRoll, Throw
from referee.games.munchkin.rules.drawing import HandNaming, TurnUpTreasures
from referee.games.munchkin.rules.dying import CastForLoot, Looting, NamingDead
from referee.games.munchkin.rules.items.claiming import ClaimWindow
from referee.games.munchkin.rules.opening_doors import BehindTheDoor
from referee.games.munchkin.rules.setup import CastForStart
from referee.games.munchkin.rules.turn import Calm
from referee.games.munchkin.state import Table

Data = dict[str, Any]
SEAT_FIELDS = ("seat", "victim", "of", "order", "ready", "contenders", "passed", "casting", "waiting")
OPTIONAL_SEAT_FIELDS = ("by", "to")
CARD_FIELDS = ("card", "cards", "before", "towns", "item", "items", "monster")
UNTYPED_FIELDS = ("bound", "noun", "casts", "fitting")  # each may hold a card, a seat or a number
CALM_STAGES = ("start", "choice", "after")
CURSE_STAGES = ("coming", "cancelled", "struck")
COMBAT_STEPS = (Fight, ClaimWindow, Fleeing, Spoils, Sharing, TurnUpTreasures, MonsterArrival)


# ---- the members ---------------------------------------------------------------------------------------------------


def find_reference_errors(p: Position) -> list[SchemaError]:
    """Return the members that do not fit together."""
    data = p.written
    errors = list(find_named_errors(p["named"], p["cards"]))
    for seat, player in enumerate(data["seats"]):
        errors += _find_item_errors(f"/seats/{seat}", player)
    if "combat" in data:
        errors += _find_combat_errors(data["combat"])
    return errors


def _find_item_errors(pointer: str, player: Data) -> list[SchemaError]:
    """Return items in use and attached cards that are not among the items."""
    items = player.get("items", [])
    there = items.get("cards", []) if isinstance(items, dict) else items
    used, attached = player.get("in_use", []), player.get("attached", {})
    errors = [
        build_error(f"{pointer}/in_use/{at}", f"{card} is not among the player's items")
        for at, card in enumerate(used)
        if card not in there
    ]
    for item, card in attached.items():
        if item not in there or card not in there:
            errors.append(build_error(f"{pointer}/attached/{item}", "both cards must be among the player's items"))
    return errors


def _find_combat_errors(combat: Data) -> list[SchemaError]:
    """Return monsters with the same name, and rolls to escape missing monsters."""
    names = [each if isinstance(each, str) else each.get("twin_by", each["monster"]) for each in combat["monsters"]]
    errors = [build_error(f"/combat/monsters/{at}", "a second monster of this name needs `twin_by`")
              for at, name in enumerate(names) if name in names[:at]]  # fmt: skip
    return errors + [build_error(f"/combat/to_flee/{at}/monster", "this monster is not in the combat")
                     for at, each in enumerate(combat.get("to_flee", ())) if each["monster"] not in names]  # fmt: skip


# ---- the pending steps -----------------------------------------------------------------------------------------------


def collect_played_cards(agenda: Steps) -> Cards:
    """Return the cards being played, in the order in which they were played.

    The steps that carry them out name them.
    """
    return tuple(step.card for step in agenda if isinstance(step, CurseStrike | FinishPlay | BehindTheDoor))


def check_agenda(agenda: Steps, beneath: int, table: Table) -> None:
    """Raise DecodeError, with a pointer, if a pending step makes no sense.

    `beneath` counts the steps that the position lists as pending. The question stands for the others.
    """
    seats = table.rules.seats
    fields = {
        **dict.fromkeys(SEAT_FIELDS, build_seat_check(seats)),
        **dict.fromkeys(OPTIONAL_SEAT_FIELDS, build_seat_check(seats, least=-1)),
        **dict.fromkeys(CARD_FIELDS, build_card_check(table.boxes.whole)),
    }
    for at, step in enumerate(agenda):
        pointer = f"/pending_steps/{beneath - 1 - at}" if at < beneath else "/question"
        if not step.TAG.startswith(("mk.", "cards.")) and not isinstance(step, Shuffle):
            raise DecodeError(f"{pointer}/type", f"{step.TAG} is not a step of this game")
        check_step_fields(encode(step), fields, pointer, UNTYPED_FIELDS)
        if isinstance(step, Execution):
            _check_text(step, table, pointer)
        _check_words(step, table, pointer)
        _check_place(step, agenda[:at], table, pointer)
    if agenda and not isinstance(agenda[0], BOTTOM_STEPS):
        raise DecodeError("/pending_steps", "the turn is missing: it lies beneath all other steps, so list it last")


def check_delayed_texts(table: Table) -> None:
    """Raise DecodeError unless what was put off, and who gets it, exists."""
    for at, each in enumerate(table.later):
        _check_text(each.text, table, f"/later/{at}")
    for at, lasting in enumerate(table.lasting):
        for name in ("seat", "by"):
            if getattr(lasting, name) >= table.rules.seats:
                raise DecodeError(f"/lasting/{at}/{name}", f"seats are numbered from 0 to {table.rules.seats - 1}")


def _check_text(text: Execution, table: Table, pointer: str) -> None:
    """Raise DecodeError unless the card has such a text and its bound values exist."""
    lines = PROGRAMS.get((text.card, text.text))
    if lines is None or not 0 <= text.at <= len(lines):
        raise DecodeError(pointer, f"{text.card} has no such line in its text {quote_value(text.text)}")
    if text.by not in range(table.rules.seats):
        raise DecodeError(pointer, "a text must be carried out for a player at this table")
    known = "known" if pointer == "/question" or pointer.startswith("/later/") else "bound"
    for name, values in text.bound.items():
        for at, value in enumerate(values):
            place = f"{pointer}/{known}/{escape_name(name)}/{at}"
            if name.endswith("/at"):
                if value not in (*DECKS.values(), *HANDS[: table.rules.seats]):
                    raise DecodeError(place, f"{quote_value(value)} is not a place of cards that are looked at")
                continue
            if name.partition("/")[0] in COUNTER_NAMES and "/" in name and type(value) is not int:
                raise DecodeError(place, f"{quote_value(value)} is not a number")
            if (
                isinstance(value, str)
                and name not in ("side",)
                and (wrong := build_card_check(table.boxes.whole)(value))
            ):
                raise DecodeError(place, wrong)
            if name in PLAYER_NAMES and (type(value) is not int or not 0 <= value < table.rules.seats):
                raise DecodeError(place, f"{quote_value(value)} is not a player")


COUNTER_NAMES = (COUNTER, CHOSEN_ALTERNATIVE)  # what texts count by themselves
PLAYER_NAMES = ("me", "left", "right", "everyone", "main", "helper", "fighters", "target", "player")


def _check_words(step: Step, table: Table, pointer: str) -> None:
    """Raise DecodeError unless the words and numbers of a step are allowed."""
    allowed: list[tuple[str, Any, Any]] = []
    match step:
        case Calm(stage=stage):
            allowed = [("stage", stage, CALM_STAGES)]
        case CurseStrike(stage=stage):
            kind = FACES[step.card].kind if step.card in FACES else ""  # books add faces, so no constant lists them
            allowed = [("stage", stage, CURSE_STAGES), ("card", kind, ("curse",))]
        case FinishPlay(card=card) | BehindTheDoor(card=card):
            allowed = [("card", card, FACES)]
        case HandNaming(count=count) | NamingDead(count=count):
            hand = table.cards_in_hand(step.seat)
            most = len(FACES) if UNCOUNTED_CARDS in hand else sum(map(is_back, hand))
            allowed = [("count", count, range(1, most + 1))]
        case Spoils(at=at):
            allowed = [("at", at, STAGES)]
        case AfterRoll(value=value):
            allowed = [("value", value, range(1, 7))]
        case Shuffle(where=where):
            allowed = [("where", where, (DOORS, TREASURES))]
    if isinstance(getattr(step, "deck", None), str):
        allowed.append(("deck", step.deck, DECKS))  # type: ignore[attr-defined]
    if isinstance(step, Roll):
        allowed += [("dice", step.dice, (1,)), ("sides", step.sides, (6,))]
    for name, value, known in allowed:
        if value not in known:
            raise DecodeError(f"{pointer}/{name}", f"{quote_value(value)} is not allowed here")
    for name in ("order", "contenders", "ready", "passed"):
        seats = getattr(step, name, None) or ()
        if not isinstance(step, Sharing) and len(set(seats)) != len(seats):
            raise DecodeError(f"{pointer}/{name}", "name each seat only once")
    if isinstance(step, CastForStart) and not len(step.cast) < len(step.contenders):
        raise DecodeError(f"{pointer}/cast", "everybody has already rolled, so no roll is due")


def _check_place(step: Step, beneath: Steps, table: Table, pointer: str) -> None:
    """Raise DecodeError unless a step lies on the step or the combat that it needs."""
    if isinstance(step, COMBAT_STEPS) and table.combat is None:
        raise DecodeError("/combat", "is missing: this question needs a combat")
    below: type[Step] | None = None
    match step:
        case ClaimWindow():
            below = Fight
        case Sharing() | TurnUpTreasures():
            below = Spoils
        case CastForLoot():
            below = Looting
    if below is not None and not (beneath and isinstance(beneath[-1], below)):
        raise DecodeError(pointer, "the step that must lie directly beneath this one is missing")
    if isinstance(step, CurseWindow) and not any(isinstance(each, CurseStrike) for each in beneath):
        raise DecodeError(pointer, "the curse that is about to strike must lie beneath it, but is missing")
    if isinstance(step, ChoicePrompt) or bool(getattr(step, "called", False)):
        if not any(isinstance(each, Execution) for each in beneath):
            raise DecodeError(pointer, "the card text that asks this must lie beneath it, but is missing")
    elif isinstance(step, Throw | AfterRoll) and (table.combat is None or table.combat.find_foe(step.card) is None):
        place = "/question/monster" if pointer == "/question" else f"{pointer}/card"
        raise DecodeError(place, "this monster is not in the combat")

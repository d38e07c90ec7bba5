"""Short forms of questions in positions, and the steps that they stand for.

A short form yields the steps of its subject up to the open question. The turn and the combat beneath follow from the
table, unless the position lists them. A step without a short form is written as the codec stores it.
"""

from __future__ import annotations

from collections.abc import Callable

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.positions.steps import JsonObject, Steps
from referee.cardscript.table import UNCOUNTED_CARDS
from referee.engine.chance import Shuffle
from referee.engine.codec import DecodeError
from referee.engine.steps import Step
from referee.engine.zones import is_back, remove_cards
from referee.games.munchkin.components import HANDS
from referee.games.munchkin.positions import texts
from referee.games.munchkin.positions.texts import decode_seat
from referee.games.munchkin.rules.cards.cursing import CurseStrike, CurseWindow
from referee.games.munchkin.rules.combat.fighting import Fight
from referee.games.munchkin.rules.combat.fleeing import Fleeing
from referee.games.munchkin.rules.combat.rewards import Sharing, Spoils
from referee.games.munchkin.rules.combat.rolling import AfterRoll, Throw
from referee.games.munchkin.rules.drawing import HandNaming, TurnUpTreasures
from referee.games.munchkin.rules.dying import Looting
from referee.games.munchkin.rules.items.claiming import ClaimWindow
from referee.games.munchkin.rules.opening_doors import OpenDoor
from referee.games.munchkin.rules.setup import CastForStart, DealHands, Preparing
from referee.games.munchkin.rules.turn import AfterDoor, Calm, KeepOne, TurnBegins, TurnEnds
from referee.games.munchkin.state import Table
from referee.games.munchkin.values import NOBODY

BOTTOM_STEPS = (Calm, AfterDoor, TurnBegins, TurnEnds, Preparing, CastForStart)  # the lowest steps of a stack
FLIGHT_TEXTS = ("bad_stuff", "escaped")  # the texts that a roll to run away sets off


def build_steps_beneath(table: Table, steps: Steps) -> Steps:
    """Return the usual steps beneath these: the turn, and the running combat if any."""
    first = steps[0]
    if isinstance(first, BOTTOM_STEPS) or table.turn == NOBODY:
        return ()
    if table.combat is None:
        return (_build_turn_beneath(first, table.turn),)
    after = AfterDoor(table.turn)
    if isinstance(first, Fight | Fleeing | Spoils):
        return (after,)
    in_flight = isinstance(first, Execution) and first.text in FLIGHT_TEXTS
    if in_flight or (isinstance(first, Throw | AfterRoll) and not first.called):
        return (after, Fleeing(begun=True))
    return (after, Fight(table.combat.main))


def _build_turn_beneath(first: Step, turn: int) -> Step:
    """Return the step of the turn: calm, or what follows the door."""
    behind_the_door = isinstance(first, CurseStrike) and first.by == NOBODY and first.victim == turn
    if behind_the_door or isinstance(first, OpenDoor | Looting):
        return AfterDoor(turn)
    return Calm(turn, "after" if isinstance(first, KeepOne) else "start")


def build_question_steps(form: JsonObject, table: Table) -> Steps:
    """Return the steps that a short form stands for.

    Raises DecodeError, or Undetermined if the position says too little.
    """
    return BUILDERS[form["asks"]](form, table)


def default_question(table: Table) -> JsonObject:
    """Return the question of a position that names none."""
    return {"asks": "calm"} if table.combat is None else {"asks": "fight"}


# ---- the combat ----------------------------------------------------------------------------------------------------


def _require_combat(table: Table) -> int:
    """Return the main player of the combat. Raises DecodeError if there is none."""
    if table.combat is None:
        raise DecodeError("/combat", "is missing: this question needs a combat")
    return table.combat.main


def build_fight(_: JsonObject, table: Table) -> Steps:
    """Return the steps of an open combat."""
    return (Fight(_require_combat(table)),)


def build_claim_window(form: JsonObject, table: Table) -> Steps:
    """Return the steps of a claim window."""
    return (Fight(_require_combat(table)), ClaimWindow(tuple(form.get("passed", ()))))


def build_flight(form: JsonObject, table: Table) -> Steps:
    """Return the steps of running away."""
    _require_combat(table)
    return (Fleeing(form.get("begun", False)),)


def build_flight_die(form: JsonObject, table: Table) -> Steps:
    """Return the steps of a die to be rolled to escape a monster."""
    _require_combat(table)
    return (Throw(seat=decode_seat(form, table), card=form["monster"]),)


def build_fallen_flight_die(form: JsonObject, table: Table) -> Steps:
    """Return the steps of a die rolled to escape a monster."""
    _require_combat(table)
    return (AfterRoll(decode_seat(form, table), form["monster"], "", form["value"]),)


def build_sharing(form: JsonObject, table: Table) -> Steps:
    """Return the steps of picking the treasures won."""
    _require_combat(table)
    return (Spoils("extra"), Sharing(tuple(form["order"])))


def build_turn_up(form: JsonObject, table: Table) -> Steps:
    """Return the steps of turning up treasures won with a helper."""
    _require_combat(table)
    return (Spoils("gifts"), TurnUpTreasures(form.get("count", 1)))


# ---- curses, death, cards ------------------------------------------------------------------------------------------


def build_curse_window(form: JsonObject, table: Table) -> Steps:
    """Return the steps of the window before a curse strikes."""
    victim = decode_seat(form, table, "victim")
    return (CurseStrike(form["card"], victim, form.get("by", NOBODY)), CurseWindow(form["card"], victim))


def build_looting(form: JsonObject, _: Table) -> Steps:
    """Return the steps of looting a dead player."""
    return (Looting(form["of"], opened=True, order=tuple(form["order"])),)


def build_keep_one(form: JsonObject, table: Table) -> Steps:
    """Return the steps of keeping one of the doors just drawn.

    Raises DecodeError if they are not in the hand.
    """
    seat = decode_seat(form, table)
    hand = table.zones.get(HANDS[seat], ())
    try:
        return (KeepOne(seat, remove_cards(hand, form["drawn"])),)
    except ValueError:
        raise DecodeError("/question/drawn", f"these cards are not in the hand of seat {seat}") from None


def build_card_naming(form: JsonObject, table: Table) -> Steps:
    """Return the steps of naming cards of a hand at a real table.

    If no number is given, all backs are named. Raises DecodeError.
    """
    seat = form["seat"]
    hand = table.cards_in_hand(seat)
    count = form.get("count", sum(map(is_back, hand)))
    if UNCOUNTED_CARDS in hand or not 0 < count <= sum(map(is_back, hand)):
        raise DecodeError("/question/count", f"seat {seat} does not have this many unnamed cards")
    return (HandNaming(seat, count),)


def build_shuffle(form: JsonObject, table: Table) -> Steps:
    """Return the steps of a shuffle, in the setup or of renewed discards."""
    step = Shuffle(form["where"])
    return (Preparing(), DealHands(), step) if table.turn == NOBODY else (step,)


def build_start_roll(form: JsonObject, table: Table) -> Steps:
    """Return the steps of a roll for the first player."""
    contenders = tuple(form.get("contenders", range(table.rules.seats)))
    return (CastForStart(contenders=contenders, cast=tuple(form.get("cast", ()))),)


BUILDERS: dict[str, Callable[[JsonObject, Table], Steps]] = {
    "calm": lambda form, table: (Calm(decode_seat(form, table), form.get("stage", "start")),),
    "fight": build_fight,
    "claim": build_claim_window,
    "flee": build_flight,
    "flight_die": build_flight_die,
    "flight_die_fell": build_fallen_flight_die,
    "die": texts.build_text_die,
    "die_fell": texts.build_fallen_text_die,
    "curse": build_curse_window,
    "share": build_sharing,
    "take": build_looting,
    "keep_one": build_keep_one,
    "choose": texts.build_choice,
    "offer": texts.build_offer,
    "lose_items": texts.build_item_loss,
    "pay": texts.build_payment,
    "discard": texts.build_hand_discard,
    "open_door": lambda form, table: (OpenDoor(decode_seat(form, table)),),
    "turn_up": build_turn_up,
    "shuffle": build_shuffle,
    "name_cards": build_card_naming,
    "ready": lambda form, _: (Preparing(tuple(form.get("ready", ()))),),
    "first_turn": build_start_roll,
}

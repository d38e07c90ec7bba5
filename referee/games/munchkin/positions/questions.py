"""The questions of a position with a short form, and what they stand for.

A short form yields the steps of its subject up to the open question. The turn and the combat beneath follow from the
table, unless the position lists them. A step without a short form is written as the codec stores it.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from referee.cardscript.free_text.asking import WrittenTextPrompt
from referee.cardscript.language.interpreter import Execution
from referee.cardscript.positions.bindings import encode_bindings
from referee.cardscript.questions import ChoicePrompt, OfferPrompt
from referee.cardscript.table import UNCOUNTED_CARDS
from referee.engine.chance import Shuffle
from referee.engine.codec import DecodeError
from referee.engine.positions.questions import Agenda, Form, Question, Steps
from referee.engine.positions.schema import BACK, BINDINGS_SCHEMA
from referee.engine.positions.shapes import (
    FLAG,
    Member,
    Shape,
    choice_shape,
    list_shape,
    number_shape,
)
from referee.engine.steps import Step
from referee.engine.zones import is_back, remove_cards
from referee.games.munchkin.card_attributes import TEXT_NAMES
from referee.games.munchkin.components import DOORS, HANDS, SEATS, TREASURES
from referee.games.munchkin.positions import texts
from referee.games.munchkin.positions.cards import NAME, SEAT, CardShapes
from referee.games.munchkin.positions.texts import bind_ambient_names, decode_seat
from referee.games.munchkin.rules.cards.cursing import CurseStrike, CurseWindow
from referee.games.munchkin.rules.combat.fighting import Fight
from referee.games.munchkin.rules.combat.fleeing import Fleeing
from referee.games.munchkin.rules.combat.rewards import Sharing, Spoils
from referee.games.munchkin.rules.combat.rolling import AfterRoll, Throw
from referee.games.munchkin.rules.drawing import HandNaming, TurnUpTreasures
from referee.games.munchkin.rules.dying import Looting
from referee.games.munchkin.rules.hands import DiscardHand
from referee.games.munchkin.rules.items.claiming import ClaimWindow
from referee.games.munchkin.rules.items.item_loss import LoseItems, PayWorth
from referee.games.munchkin.rules.opening_doors import OpenDoor
from referee.games.munchkin.rules.setup import CastForStart, DealHands, Preparing
from referee.games.munchkin.rules.turn import AfterDoor, Calm, KeepOne, TurnBegins, TurnEnds
from referee.games.munchkin.state import Table
from referee.games.munchkin.values import NOBODY

BOTTOM_STEPS = (Calm, AfterDoor, TurnBegins, TurnEnds, Preparing, CastForStart)  # the lowest steps of a stack
FLIGHT_TEXTS = ("bad_stuff", "escaped")  # the texts that a roll to run away sets off


def find_steps_beneath(table: Table, steps: Steps) -> Steps:
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


def find_default_question(table: Table) -> Form:
    """Return the question of a position that names none."""
    return {"asks": "calm"} if table.combat is None else {"asks": "fight"}


# ---- the combat ----------------------------------------------------------------------------------------------------


def _require_combat(table: Table) -> int:
    """Return the main player of the combat. Raises DecodeError if there is none."""
    if table.combat is None:
        raise DecodeError("/combat", "is missing: this question needs a combat")
    return table.combat.main


def build_fight(table: Table) -> Steps:
    """Return the steps of an open combat. Raises DecodeError if there is none."""
    return (Fight(_require_combat(table)),)


def build_flight_die(form: Form, table: Table) -> Steps:
    """Return the steps of a die to be rolled to escape a monster."""
    _require_combat(table)
    return (Throw(seat=decode_seat(form, table), card=form["monster"]),)


def build_fallen_flight_die(form: Form, table: Table) -> Steps:
    """Return the steps of a die rolled to escape a monster."""
    _require_combat(table)
    return (AfterRoll(decode_seat(form, table), form["monster"], "", form["value"]),)


# ---- curses, death, cards ------------------------------------------------------------------------------------------


def build_curse_window(form: Form, table: Table) -> Steps:
    """Return the steps of the window before a curse strikes."""
    victim = decode_seat(form, table, "victim")
    return (CurseStrike(form["card"], victim, form.get("by", NOBODY)), CurseWindow(form["card"], victim))


def build_looting(form: Form, _: Table) -> Steps:
    """Return the steps of looting a dead player."""
    return (Looting(form["of"], opened=True, order=tuple(form["order"])),)


def build_keep_one(form: Form, table: Table) -> Steps:
    """Return the steps of keeping one of the doors just drawn.

    Raises DecodeError if they are not in the hand.
    """
    seat = decode_seat(form, table)
    hand = table.zones.get(HANDS[seat], ())
    try:
        return (KeepOne(seat, remove_cards(hand, form["drawn"])),)
    except ValueError:
        raise DecodeError("/question/drawn", f"these cards are not in the hand of seat {seat}") from None


def build_card_naming(form: Form, table: Table) -> Steps:
    """Return the steps of naming cards of a hand at a real table.

    If no number is given, all backs are named. Raises DecodeError.
    """
    seat = form["seat"]
    hand = table.cards_in_hand(seat)
    count = form.get("count", sum(map(is_back, hand)))
    if UNCOUNTED_CARDS in hand or not 0 < count <= sum(map(is_back, hand)):
        raise DecodeError("/question/count", f"seat {seat} does not have this many unnamed cards")
    return (HandNaming(seat, count),)


def build_shuffle(form: Form, table: Table) -> Steps:
    """Return the steps of a shuffle, in the setup or of renewed discards."""
    step = Shuffle(form["where"])
    return (Preparing(), DealHands(), step) if table.turn == NOBODY else (step,)


# ---- proposals -------------------------------------------------------------------------------------------------------


def _propose_text_question(asks: str, table: Table, seat: int, **more: Any) -> Form:
    """Return the short form of a question on top of a card text, or {}."""
    text = table.agenda[-2] if len(table.agenda) > 1 else None
    if not isinstance(text, Execution) or text.at < 1:
        return {}
    form: Form = {"asks": asks, "card": text.card, "part": text.text, "by": text.by, "line": text.at - 1, **more}
    if seat != text.by:
        form["seat"] = seat
    return form | encode_bindings(text, bind_ambient_names(table, text.card, text.by))


def _propose_flight_die(_: Table, top: Throw) -> Form:
    return {} if top.called else {"asks": "flight_die", "seat": top.seat, "monster": top.card}


def _propose_fallen_flight_die(_: Table, top: AfterRoll) -> Form:
    form = {"asks": "flight_die_fell", "seat": top.seat, "monster": top.card, "value": top.value}
    return {} if top.called else form


def _propose_curse_window(table: Table, top: CurseWindow) -> Form:
    strikes = table.agenda[-2] if len(table.agenda) > 1 else None
    by = strikes.by if isinstance(strikes, CurseStrike) else NOBODY
    form: Form = {"asks": "curse", "card": top.card, "victim": top.victim}
    return form if by == NOBODY else {**form, "by": by}


def _propose_keep_one(table: Table, top: KeepOne) -> Form:
    drawn = list(table.zones.get(HANDS[top.seat], ()))
    for card in top.before:
        if card not in drawn:
            return {}
        drawn.remove(card)
    return {"asks": "keep_one", "seat": top.seat, "drawn": drawn}


def _propose_item_loss(table: Table, top: LoseItems) -> Form:
    chosen = {} if top.by == top.seat else {"chosen_by": top.by}
    count = {"count": top.count} if top.count > 0 else {}
    return _propose_text_question("lose_items", table, top.seat, **chosen, **count)


def _propose_hand_discard(table: Table, top: DiscardHand) -> Form:
    return _propose_text_question("discard", table, top.seat, **({"count": top.count} if top.count > 0 else {}))


# ---- the questions ---------------------------------------------------------------------------------------------------

DIE = number_shape(1, 6)
SEATS_LISTED = list_shape(SEAT, 0, SEATS)
AT_LEAST_ONE_SEAT = list_shape(SEAT, 1, SEATS)
ON_TURN = Member("seat", SEAT, "The seat asked; if left out, the active player.", assumed=True)
VALUE = Member("value", DIE, "The number that it shows.", needed=True)
CARD_COUNT = Member(
    "count", number_shape(1, 40), "The number of cards; if left out, the number on the card.", assumed=True
)
OF_A_TEXT = (
    Member(
        "part", NAME, f"Which of its texts: {', '.join(TEXT_NAMES)}, power/ followed by a name; if left out, the first "
        "that asks this question.", assumed=True,
    ),
    Member("by", SEAT, "The player for whom it is carried out; if left out, the active player.", assumed=True),
    Member(
        "line", number_shape(0, 40),
        "The line that asks, counted from 0; if left out, the first that asks this question.", assumed=True,
    ),
    Member("known", Shape(BINDINGS_SCHEMA), assumed=True),
    Member("secret", list_shape(NAME), "The names in `known` whose values only that player may see.", assumed=True),
    Member("seat", SEAT, "The seat asked; if left out, the one for whom the text is carried out.", assumed=True),
)  # fmt: skip


@cache
def build_agenda(edition: str) -> Agenda:
    """Return the questions of a position that is played with the cards of an edition."""
    cards = CardShapes(edition)
    a_text = (Member("card", cards.any, "The card whose text is being carried out.", needed=True), *OF_A_TEXT)
    flight = Member("monster", cards.choice_shape("monster", "door_special"), "The monster to escape.", needed=True)
    on_turn = {"seat": lambda table, _form: decode_seat({}, table)}
    questions = (
        Question(
            "calm", Calm,
            "The active player may act outside combat. This is the default question if no combat is running.",
            (ON_TURN, Member(
                "stage", choice_shape("start", "choice", "after"),
                "start (the default): before the door is kicked open; choice: before choosing between a monster from "
                "the hand and looting; after: once that is chosen.",
            )),
            on_turn,
        ),
        Question(
            "fight", Fight, "A combat is open. This is the default question if a combat is running.",
            build=lambda _form, table: build_fight(table),
        ),
        Question(
            "claim", ClaimWindow, "The main player has claimed the kill, and the other players may act against it.",
            (Member("passed", SEATS_LISTED, "The seats that have passed; nobody if left out.", usual=()),),
            frames=build_fight,
        ),
        Question(
            "flee", Fleeing, "A fighter chooses the next monster to run from.",
            (Member("begun", FLAG, "Whether anybody has already run away; false if left out.", usual=False),),
        ),
        Question(
            "flight_die", Throw, "A die is to be rolled to escape a monster.", (ON_TURN, flight),
            build=build_flight_die, propose=_propose_flight_die,
        ),
        Question(
            "flight_die_fell", AfterRoll,
            "A die was rolled to escape a monster; a card may still change the result.", (ON_TURN, flight, VALUE),
            build=build_fallen_flight_die, propose=_propose_fallen_flight_die,
        ),
        Question(
            "die", Throw, "A die is to be rolled for a card.", a_text, build=texts.build_text_die,
            propose=lambda table, top: _propose_text_question("die", table, top.seat),
        ),
        Question(
            "die_fell", AfterRoll, "A die was rolled for a card; another card may still change the result.",
            (*a_text, VALUE), build=texts.build_fallen_text_die,
            propose=lambda table, top: _propose_text_question("die_fell", table, top.seat, value=top.value),
        ),
        Question("curse", CurseWindow, "The victim of a curse may respond before it strikes.", (
            Member("card", cards.choice_shape("curse"), "The curse.", needed=True),
            Member("victim", SEAT, "The player who is cursed; if left out, the active player.", assumed=True),
            Member("by", SEAT, "The player who played it; if left out, nobody: it was behind the door."),
        ), build=build_curse_window, propose=_propose_curse_window),
        Question("share", Sharing, "The fighters pick from the face-up treasures.", (
            Member(
                "order", list_shape(SEAT, 1, len(cards.boxes.whole)), "The seats that pick, in this order.", needed=True
            ),
        ), frames=lambda _: (Spoils("extra"),)),
        Question("take", Looting, "The living players take cards from a dead player's belongings.", (
            Member("of", SEAT, "The dead player.", needed=True),
            Member(
                "order", AT_LEAST_ONE_SEAT, "The seats that still have to take a card, in this order.", needed=True
            ),
        ), build=build_looting, propose=lambda _, top: {"asks": "take", "of": top.seat, "order": [*(top.order or ())]}),
        Question("keep_one", KeepOne, "A player keeps one of the door cards just drawn.", (
            ON_TURN,
            Member(
                "drawn", list_shape(choice_shape(*cards.boxes.whole, BACK), 2, 10),
                "The hand cards that were just drawn.", needed=True,
            ),
        ), build=build_keep_one, propose=_propose_keep_one),
        Question(
            "choose", ChoicePrompt, "A card text asks a player to choose.", a_text, build=texts.build_choice,
            propose=lambda table, top: _propose_text_question("choose", table, top.seat),
        ),
        Question(
            "offer", OfferPrompt, "A card text offers a player something, to accept or decline.", a_text,
            build=texts.build_offer, propose=lambda table, top: _propose_text_question("offer", table, top.seat),
        ),
        Question(
            "as_written", WrittenTextPrompt, "A player carries out the free text of a card.", a_text,
            build=texts.build_written_text,
            propose=lambda table, top: _propose_text_question("as_written", table, top.seat),
        ),
        Question("lose_items", LoseItems, "A card text takes items that are in play.", (
            *a_text,
            Member("chosen_by", SEAT, "The player who chooses; if left out, the seat asked.", assumed=True),
            CARD_COUNT,
        ), build=texts.build_item_loss, propose=_propose_item_loss),
        Question("pay", PayWorth, "A card text takes items worth a given amount.", (
            *a_text,
            Member(
                "owed", number_shape(1, 100_000), "The gold still owed; if left out, the amount on the card.",
                assumed=True,
            ),
        ), build=texts.build_payment,
            propose=lambda table, top: _propose_text_question("pay", table, top.seat, owed=top.owed)),
        Question(
            "discard", DiscardHand, "A card text makes a player discard hand cards of their choice.",
            (*a_text, CARD_COUNT), build=texts.build_hand_discard, propose=_propose_hand_discard,
        ),
        Question("open_door", OpenDoor, "The top door card is turned face up.", (ON_TURN,), on_turn),
        Question(
            "turn_up", TurnUpTreasures, "Treasures won with a helper are turned face up.",
            (Member("count", number_shape(1, 40), "How many; one if left out.", assumed=True),),
            {"count": lambda _table, _form: 1},
            frames=lambda _: (Spoils("gifts"),),
        ),
        Question(
            "shuffle", Shuffle, "A deck is shuffled.",
            (Member("where", choice_shape(DOORS, TREASURES), "The deck.", needed=True),), build=build_shuffle,
        ),
        Question("name_cards", HandNaming, "At a real table, the cards of a seat are named to the referee.", (
            Member("seat", SEAT, "Whose hand.", needed=True),
            Member("count", number_shape(1, cards.count), "How many; all if left out.", assumed=True),
        ), build=build_card_naming),
        Question(
            "ready", Preparing, "Everybody puts cards into play before the first turn.",
            (Member("ready", SEATS_LISTED, "The seats that are ready; nobody if left out.", usual=()),),
        ),
        Question("first_turn", CastForStart, "Dice are rolled to decide who takes the first turn.", (
            Member("contenders", AT_LEAST_ONE_SEAT, "The seats that roll; everybody if left out.", assumed=True),
            Member("cast", list_shape(DIE, 0, 6), "Their rolls so far, in the same order."),
        ), {"contenders": lambda table, _form: tuple(range(table.rules.seats))}),
    )  # fmt: skip
    return Agenda(questions, find_steps_beneath, find_default_question)

"""Questions that card texts ask, in the short forms of positions.

The text has just passed the line that asks. The effect of that line supplies the rest of the question.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.cardscript.free_text.asking import WrittenTextPrompt
from referee.cardscript.language.builtins import AsWritten, Choose, OfferTo
from referee.cardscript.language.interpreter import Execution
from referee.cardscript.language.primitives import CardEffect, Values
from referee.cardscript.positions.steps import JsonObject, Steps, decode_values
from referee.cardscript.questions import ChoicePrompt, OfferPrompt
from referee.engine.codec import DecodeError
from referee.engine.rulings import Undetermined
from referee.engine.steps import Step
from referee.games.munchkin.card_attributes import TEXT_NAMES
from referee.games.munchkin.components import FACES, PROGRAMS
from referee.games.munchkin.rules.cards.cursing import CurseStrike
from referee.games.munchkin.rules.cards.playing import FinishPlay, stays_in_combat
from referee.games.munchkin.rules.cards.texts import has_text
from referee.games.munchkin.rules.combat.rewards import Spoils
from referee.games.munchkin.rules.combat.rolling import AfterRoll, Throw
from referee.games.munchkin.rules.hands import DiscardHand
from referee.games.munchkin.rules.items.item_loss import LoseItems, PayWorth, cause_of
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import is_condition_met
from referee.games.munchkin.texts.verbs_of_items import Lose, LoseWorth
from referee.games.munchkin.texts.verbs_of_players import DiscardFromHand, RollDie, resolve_count
from referee.games.munchkin.values import NOBODY

# builds the question on top of a text; the number is the seat asked
QuestionBuilder = Callable[[JsonObject, Execution, Any, int], Step]
COMBAT_NAMES = ("main", "helper", "fighters")


def decode_seat(form: JsonObject, table: Table, name: str = "seat") -> int:
    """Return the seat that a form names, else the player on turn. Raises DecodeError."""
    if name in form:
        return int(form[name])
    if table.turn == NOBODY:
        raise DecodeError(f"/question/{name}", "is missing: no turn has begun, so this has no default")
    return table.turn


def bind_ambient_names(table: Table, card: str, by: int) -> dict[str, Values]:
    """Return the values of the names that every text finds bound, for this table."""
    others, combat = table.other_seats(by), table.combat
    bound: dict[str, Values] = {
        "me": (by,),
        "this": (card,),
        "left": others[:1],
        "right": others[-1:],
        "everyone": table.seats_clockwise_from(by),
    }
    if combat is not None:
        bound |= {"main": (combat.main,), "fighters": combat.fighters}
        bound |= {"helper": (combat.helper,)} if combat.helper != NOBODY else {}
    return bound


def list_text_names(card: str) -> list[str]:
    """Return the names of a card's texts."""
    names = (*TEXT_NAMES, *(f"power/{power.name}" for power in FACES[card].powers))
    names = (*names, *(trigger.text for trigger in FACES[card].triggers))
    return [name for name in names if (card, name) in PROGRAMS]


def find_asking_text(form: JsonObject, table: Table, *kinds: type[CardEffect]) -> tuple[Execution, Any]:
    """Return the text just past a line that asks, and that line's effect.

    The effect is of one of these kinds. Raises DecodeError.
    """
    card = form["card"]
    by = form["by"] if "by" in form else decode_seat(form, table)
    if by >= table.rules.seats:
        raise DecodeError("/question/by", f"seats are numbered from 0 to {table.rules.seats - 1}")
    for part in [form["part"]] if "part" in form else list_text_names(card):
        lines = PROGRAMS.get((card, part), ())
        asking = [at for at, line in enumerate(lines) if isinstance(line.effect, kinds)]
        at = form.get("line", asking[0] if asking else -1)
        if at in asking:
            known = {**bind_ambient_names(table, card, by), **decode_values(form.get("known", {}))}
            bound = {name: given for name, given in known.items() if given or name not in COMBAT_NAMES}
            return Execution(card, part, by, at + 1, bound, tuple(form.get("secret", ()))), lines[at].effect
    raise DecodeError("/question/card", f"no such line of {card} asks this question")


def build_frames_beneath(text: Execution, table: Table) -> Steps:
    """Return the usual steps between a text and the turn or combat.

    These are the curse, the play or the rewards that the text belongs to.
    """
    card, face = text.card, FACES[text.card]
    if face.kind == "curse":
        return (CurseStrike(card, text.by, stage="struck", stays=_would_stay(table, card, text.by)),)
    if text.text == "reward" and table.combat is not None:
        giving = [foe.of for foe in table.combat.foes if has_text(table, foe.of, "reward")]
        return (Spoils("gifts", giving.index(card) + 1),) if card in giving else ()
    if text.text != "does" or stays_in_combat(table, card):
        return ()
    return (FinishPlay(card),)


def _would_stay(table: Table, card: str, victim: int) -> bool:
    stays = FACES[card].stays
    try:
        return stays is not None and (stays.unless is None or not is_condition_met(table, stays.unless, victim))
    except Undetermined:
        return True


def question_of_text(*kinds: type[CardEffect]) -> Callable[[QuestionBuilder], Callable[[JsonObject, Table], Steps]]:
    """Decorate a function that builds a question on top of a text.

    The result builds all steps of that question.
    """

    def wrap(top: QuestionBuilder) -> Callable[[JsonObject, Table], Steps]:
        def build(form: JsonObject, table: Table) -> Steps:
            text, word = find_asking_text(form, table, *kinds)
            return (*build_frames_beneath(text, table), text, top(form, text, word, form.get("seat", text.by)))

        return build

    return wrap


@question_of_text(Choose)
def build_choice(_: JsonObject, text: Execution, word: Any, seat: int) -> Step:
    """Return the question in which a card text lets a player choose."""
    return ChoicePrompt(seat, text.card, word.noun, word.called, word.optional, word.duty, word.unseen)


@question_of_text(OfferTo)
def build_offer(_: JsonObject, text: Execution, word: Any, seat: int) -> Step:
    """Return the question in which a card text offers something."""
    return OfferPrompt(seat, text.card, word.called)


@question_of_text(AsWritten)
def build_written_text(_: JsonObject, text: Execution, _word: Any, seat: int) -> Step:
    """Return the question in which a player carries out a free text."""
    return WrittenTextPrompt(seat, text.card)


@question_of_text(RollDie)
def build_text_die(_: JsonObject, text: Execution, word: Any, seat: int) -> Step:
    """Return the step of a die to be rolled for a card."""
    return Throw(seat=seat, card=text.card, called=word.called)


@question_of_text(RollDie)
def build_fallen_text_die(form: JsonObject, text: Execution, word: Any, seat: int) -> Step:
    """Return the step of a die that was rolled for a card and may still be turned."""
    return AfterRoll(seat, text.card, word.called, form["value"])


@question_of_text(Lose)
def build_item_loss(form: JsonObject, text: Execution, word: Any, seat: int) -> Step:
    """Return the question which items in play a player loses."""
    count, by = form.get("count", resolve_count(word.count)), form.get("chosen_by", seat)
    return LoseItems(seat, by, text.card, count, word.which.item_filter, word.which.best, cause_of(text))


@question_of_text(LoseWorth)
def build_payment(form: JsonObject, text: Execution, word: Any, seat: int) -> Step:
    """Return the question which items a player pays with."""
    return PayWorth(seat, text.card, form.get("owed", word.gold), cause_of(text), word.called)


@question_of_text(DiscardFromHand)
def build_hand_discard(form: JsonObject, text: Execution, word: Any, seat: int) -> Step:
    """Return the question which hand cards a player discards."""
    least = () if word.at_least is None else (word.at_least,)
    count = form.get("count", resolve_count(word.count))
    return DiscardHand(seat, text.card, count, least=least, called=word.called)

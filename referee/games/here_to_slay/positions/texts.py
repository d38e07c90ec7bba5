"""Questions of card texts in a position: the running text and its question.

The text stands just past the line that asks. The words of that line give the rest of the question.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.cardscript.language.builtins import Choose, OfferTo
from referee.cardscript.language.interpreter import Execution
from referee.cardscript.language.primitives import CardEffect, Values
from referee.cardscript.positions.steps import JsonObject, Steps, decode_values
from referee.cardscript.questions import LookPrompt, OfferPrompt
from referee.engine.codec import DecodeError
from referee.engine.steps import Step
from referee.games.here_to_slay.components import FACES, PROGRAMS
from referee.games.here_to_slay.positions.rolls import build_choice_prompt, decode_seat
from referee.games.here_to_slay.positions.schema import TEXT_NAMES
from referee.games.here_to_slay.rules.attacking import MonsterTurnUp
from referee.games.here_to_slay.rules.drawing import Pulling
from referee.games.here_to_slay.rules.effect_frames import EffectFrame, OrderTriggers
from referee.games.here_to_slay.rules.hands import (
    CardKindPrompt,
    DeckTopOrdering,
    SimultaneousDiscard,
    SimultaneousGift,
)
from referee.games.here_to_slay.rules.hero_removal import ChooseSacrifice, ReplacementOffer
from referee.games.here_to_slay.rules.playing import MagicDisposal
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.texts.verbs_of_cards import (
    CheckCardKind,
    DiscardCards,
    GiveCards,
    LookAtDeck,
    LookAtHand,
    PayCards,
    PullCards,
    PutOnTop,
)
from referee.games.here_to_slay.texts.verbs_of_heroes import DestroyHero, SacrificeHero

QuestionBuilder = Callable[[JsonObject, Execution, Any, Table], Step]  # returns the question on top of a text


def list_text_names(card: str) -> list[str]:
    """Return the names of the texts of a card."""
    return [part for part in TEXT_NAMES if (card, part) in PROGRAMS]


def find_asking_text(form: JsonObject, table: Table, *kinds: type[CardEffect]) -> tuple[Execution, Any]:
    """Return the text that asks, just past the asking line, and that line's word.

    The line must have one of these kinds of words. Raises DecodeError.
    """
    card = form["card"]
    by = form["by"] if "by" in form else decode_seat(form, table)
    for part in [form["part"]] if "part" in form else list_text_names(card):
        lines = PROGRAMS.get((card, part), ())
        asking = [at for at, line in enumerate(lines) if isinstance(line.effect, kinds)]
        at = form.get("line", asking[0] if asking else -1)
        if at in asking:
            bound: dict[str, Values] = {"me": (by,), "this": (card,), **decode_values(form.get("known", {}))}
            text = Execution(card, part, by, at + 1, bound, tuple(form.get("secret", ())))
            return text, lines[at].effect
    raise DecodeError("/question/card", f"no such line of {card} asks this question")


def build_frames_beneath(text: Execution) -> Steps:
    """Return the steps that usually lie beneath a text.

    They are the play of magic, the end of a fight, or the frames of an action or a trigger.
    """
    if FACES[text.card].kind == "magic":
        return (EffectFrame(), MagicDisposal(text.by, text.card))
    if text.text == "reward":
        return (EffectFrame(), MonsterTurnUp(1))
    return (EffectFrame(),) if text.text in ("action", "penalty") else (EffectFrame(), EffectFrame())


def question_of_text(*kinds: type[CardEffect]) -> Callable[[Callable[..., Step]], Callable[..., Steps]]:
    """Return a decorator that makes a step builder of a function for the top question."""

    def wrap(top: QuestionBuilder) -> Callable[[JsonObject, Table], Steps]:
        def build(form: JsonObject, table: Table) -> Steps:
            text, word = find_asking_text(form, table, *kinds)
            return (text, top(form, text, word, table))

        return build

    return wrap


def _decode_given(form: JsonObject) -> dict[str, tuple[str, ...]]:
    return {seat: tuple(cards) for seat, cards in form.get("given", {}).items()}


@question_of_text(Choose)
def build_choice(form: JsonObject, text: Execution, word: Any, *_: Table) -> Step:
    """Return the step with which a card text lets a player choose."""
    return build_choice_prompt(form.get("seat", text.by), text.card, word)


@question_of_text(OfferTo)
def build_offer(form: JsonObject, text: Execution, word: Any, *_: Table) -> Step:
    """Return the step with which a card text offers something."""
    return OfferPrompt(form.get("seat", text.by), text.card, word.called)


@question_of_text(DiscardCards, PayCards)
def build_discard(form: JsonObject, text: Execution, word: Any, *_: Table) -> Step:
    """Return the step in which players choose cards to discard."""
    least = getattr(word, "at_least", None)
    waiting, called = tuple(form["seats"]), word.called
    return SimultaneousDiscard(
        waiting, text.card, _decode_given(form), word.count if least is None else least, word.count, called
    )


@question_of_text(SacrificeHero)
def build_sacrifice(form: JsonObject, text: Execution, *_: Any) -> Step:
    """Return the step in which players choose heroes to sacrifice."""
    return ChooseSacrifice(tuple(form["seats"]), text.card, _decode_given(form))


@question_of_text(GiveCards)
def build_gifts(form: JsonObject, text: Execution, *_: Any) -> Step:
    """Return the step in which players choose cards to give to the player of the text."""
    return SimultaneousGift(tuple(form["seats"]), text.card, _decode_given(form), text.by)


@question_of_text(LookAtHand, LookAtDeck)
def build_look(form: JsonObject, text: Execution, *_: Any) -> Step:
    """Return the step in which a player is shown cards."""
    return LookPrompt(form.get("seat", text.by), text.card, tuple(form["cards"]))


@question_of_text(PutOnTop)
def build_deck_top_ordering(form: JsonObject, text: Execution, *_: Any) -> Step:
    """Return the step in which a player puts cards back on the deck."""
    return DeckTopOrdering(form.get("seat", text.by), tuple(form["cards"]))


@question_of_text(CheckCardKind)
def build_card_kind_prompt(form: JsonObject, text: Execution, word: Any, *_: Table) -> Step:
    """Return the step in which a player says of what kind a card is."""
    return CardKindPrompt(form.get("seat", text.by), text.card, word.kind, word.called)


@question_of_text(DestroyHero)
def build_replacement_offer(form: JsonObject, text: Execution, word: Any, *_: Table) -> Step:
    """Return the step in which a destroyer may do something else. Raises DecodeError."""
    use, seat = form["use"], form.get("seat", text.by)
    if not FACES[use].replacements:
        raise DecodeError("/question/use", f"{use} does not let its owner do something instead")
    item_to = seat if word.item_to_me else -1
    return ReplacementOffer(seat, use, FACES[use].replacements[0].text, form["hero"], item_to)


@question_of_text(PullCards)
def build_pull(form: JsonObject, text: Execution, word: Any, table: Table) -> Step:
    """Return the step in which chance picks a card out of a hand."""
    seat = form.get("seat", text.by)
    before = tuple(form["before"]) if "before" in form else table.cards_in_hand(seat)
    return Pulling(seat, form["of"], form.get("count", word.count), word.called, before)


def build_next_trigger(form: JsonObject, table: Table) -> Steps:
    """Return the steps in which one of several waiting abilities is chosen.

    Raises DecodeError.
    """
    seat = decode_seat(form, table)
    noted = tuple(decode_waiting_text(each, seat) for each in form["texts"])
    own = tuple(dict.fromkeys(text.card for text in noted if text.by == seat))
    return (EffectFrame(noted), OrderTriggers(seat, own))


def decode_waiting_text(form: JsonObject, seat: int) -> Execution:
    """Return a text that waits for its turn.

    If no part is named, it is the card's first trigger, or else its effect.
    """
    card, by = form["card"], form.get("by", seat)
    part = form.get("part") or next((each for each in list_text_names(card) if each.startswith("whenever")), "does")
    if (card, part) not in PROGRAMS:
        raise DecodeError("/question/texts", f"{card} has no such text")
    bound: dict[str, Values] = {"me": (by,), "this": (card,), **decode_values(form.get("known", {}))}
    return Execution(card, part, by, form.get("line", 0), bound, tuple(form.get("secret", ())))

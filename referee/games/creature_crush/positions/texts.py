"""Questions that card texts ask, as a position writes them.

A position names the text being carried out and its question. The text stands just past the line that asks. The words of
that line say the rest of the question.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from referee.cardscript.free_text.asking import WrittenTextPrompt
from referee.cardscript.language.builtins import AsWritten, Choose
from referee.cardscript.language.interpreter import Execution
from referee.cardscript.language.primitives import CardEffect, Program, Values
from referee.cardscript.positions.bindings import decode_bindings, encode_bindings
from referee.cardscript.positions.steps import decode_values
from referee.cardscript.questions import ChoicePrompt
from referee.engine.codec import DecodeError, escape_name, quote_value
from referee.engine.positions.questions import Form, Steps
from referee.engine.steps import Step
from referee.games.creature_crush.card_attributes import TEXT_NAMES
from referee.games.creature_crush.components import program_of
from referee.games.creature_crush.derived import compute_amount
from referee.games.creature_crush.positions.questions.happened import collect_text_bindings, decode_seat
from referee.games.creature_crush.rules.actions.searching import Searching
from referee.games.creature_crush.rules.actions.summoning import MOVED, REVIVED, TAKEN, Placing
from referee.games.creature_crush.rules.combat.rerolling import Rerolling, RollAgain
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.texts.nouns import CostHitSelector
from referee.games.creature_crush.texts.selecting import (
    ChooseSome,
    ChoosingSome,
    DrawTargets,
    RollForTarget,
    SelectAtRandom,
    SelectWithDice,
    build_pips_name,
)
from referee.games.creature_crush.texts.verbs_of_cards import RerollDice, Search
from referee.games.creature_crush.texts.verbs_of_creatures import MoveByEffect, Revive, TakeControl
from referee.games.creature_crush.values import DelayedEffect

StepsBuilder = Callable[[Form, Table], Steps]
# Builds the question on top of a text, from the effect that asks.
QuestionBuilder = Callable[[Form, Table, Execution, Any], Step]


def find_lines(card: str, text: str) -> Program:
    """Return the lines of a text, none if the card has no such text."""
    try:
        return program_of(card, text)
    except KeyError:
        return ()


def check_bound_numbers(bound: Mapping[str, Values], pointer: str) -> None:
    """Check that what a text calls x or dice, or counts down, are numbers.

    Raises DecodeError.
    """
    for name, values in bound.items():
        for at, value in enumerate(
            values if name == "x" or name.startswith(("dice/", "repeat/", "turned/", "one/")) else ()
        ):
            if type(value) is not int:
                raise DecodeError(
                    f"{pointer}/known/{escape_name(name)}/{at}", f"{quote_value(value)} is not a number of dice or pips"
                )


def find_asking_text(said: Form, table: Table, *kinds: type[CardEffect]) -> tuple[Execution, Any]:
    """Find the text that asks, just past a line of one of these kinds, and its effect.

    Raises DecodeError.
    """
    card, by = said["card"], decode_seat(said, table, "by")
    for part in [said["part"]] if "part" in said else TEXT_NAMES:
        lines = find_lines(card, part)
        asking = [at for at, line in enumerate(lines) if isinstance(line.effect, kinds)]
        at = said.get("line", asking[0] if asking else -1)
        if at in asking:
            bound = decode_bindings(said, collect_text_bindings(table, card, part, by))
            check_bound_numbers(bound, "/question")
            return Execution(card, part, by, at + 1, bound, tuple(said.get("secret", ()))), lines[at].effect
    raise DecodeError("/question/card", f"no such line of {card} asks this question")


def build_on_text(*kinds: type[CardEffect]) -> Callable[[QuestionBuilder], StepsBuilder]:
    """Turn a builder of the question on top of a text into a builder of all steps."""

    def wrap(top: QuestionBuilder) -> StepsBuilder:
        def build(said: Form, table: Table) -> Steps:
            text, word = find_asking_text(said, table, *kinds)
            return (text, top(said, table, text, word))

        return build

    return wrap


def encode_question(asks: str, table: Table, **more: Any) -> Form:
    """Return the form of a question on top of a text, {} if no text lies beneath it."""
    text = table.agenda[-2] if len(table.agenda) > 1 else None
    if not isinstance(text, Execution) or text.at < 1:
        return {}
    said: Form = {"asks": asks, "card": text.card, "part": text.text, "by": text.by, "line": text.at - 1, **more}
    return said | encode_bindings(text, collect_text_bindings(table, text.card, text.text, text.by))


# ---- what texts have put off -----------------------------------------------------------------------------------------


def decode_delayed(said: Form, _: Any) -> DelayedEffect:
    """Return the effect put off that a form stands for."""
    known, secret = decode_values(said.get("known", {})), tuple(said.get("secret", ()))
    return DelayedEffect(said["when"], Execution(said["card"], said["part"], said["by"], said["line"], known, secret))


def encode_delayed(delayed: DelayedEffect) -> Form:
    """Return the form of an effect put off."""
    text = delayed.effect
    said: Form = {"when": delayed.when, "card": text.card, "part": text.text, "by": text.by, "line": text.at}
    return (
        said
        | {"known": {name: list(values) for name, values in text.bound.items()}}
        | ({"secret": list(text.secret)} if text.secret else {})
    )


# ---- the questions ---------------------------------------------------------------------------------------------------


@build_on_text(Choose, SelectWithDice)
def build_choose(_: Form, __: Table, text: Execution, word: Any) -> Step:
    """Build the step in which the player of a text chooses one thing.

    If dice were rolled, it is one of the things that they have hit. Raises DecodeError.
    """
    if isinstance(word, SelectWithDice):
        if build_pips_name(word.called) not in text.bound:
            raise DecodeError(
                "/question/known", f"{build_pips_name(word.called)} is missing: list the dice that were rolled"
            )
        return ChoicePrompt(text.by, text.card, CostHitSelector(word.noun, build_pips_name(word.called)), word.called)
    return ChoicePrompt(text.by, text.card, word.noun, word.called, word.optional, word.duty, word.unseen)


@build_on_text(AsWritten)
def build_written_text(_: Form, __: Table, text: Execution, ___: Any) -> Step:
    """Build the step in which the player of a card carries out its free text."""
    return WrittenTextPrompt(text.by, text.card)


@build_on_text(ChooseSome)
def build_choose_some(said: Form, table: Table, text: Execution, word: Any) -> Step:
    """Build the step in which the player of a text chooses several things."""
    count = said.get("count", compute_amount(table, word.count, text.bound))
    return ChoosingSome(text.by, text.card, word.noun, word.called, count, word.up_to)


@build_on_text(SelectAtRandom)
def build_at_random(said: Form, table: Table, text: Execution, word: Any) -> Step:
    """Build the step in which chance finds targets for a card text."""
    return DrawTargets(
        text.card, word.noun, word.called, said.get("count", compute_amount(table, word.count, text.bound))
    )


@build_on_text(SelectWithDice)
def build_target_dice(_: Form, __: Table, text: Execution, word: Any) -> Step:
    """Build the step in which dice are rolled that find a target for a card text."""
    return RollForTarget(dice=word.dice, seat=text.by, card=text.card, noun=word.noun, called=word.called)


@build_on_text(Revive, TakeControl, MoveByEffect)
def build_placing(said: Form, _: Table, text: Execution, word: Any) -> Step:
    """Build the step that brings a creature to a place of its player's choice.

    Raises DecodeError.
    """
    how, name = {
        Revive: (REVIVED, "card"), TakeControl: (TAKEN, "creature"), MoveByEffect: (MOVED, "creature")
    }[type(word)]  # fmt: skip
    creature = said.get("creature", text.first_value(getattr(word, name)))
    if creature is None:
        raise DecodeError("/question/creature", "is missing, and the text names no creature")
    return Placing(text.by, str(creature), how)


@build_on_text(Search)
def build_search(_: Form, __: Table, text: Execution, word: Any) -> Step:
    """Build the step in which a player searches their own deck."""
    return Searching(text.by, text.card, word.kind, word.cost_max, word.count, True, word.attack_min)


@build_on_text(RerollDice)
def build_reroll(_: Form, __: Table, text: Execution, word: Any) -> Step:
    """Build the step in which a player may roll start dice again."""
    return Rerolling(text.by, text.card, word.count)


@build_on_text(RerollDice)
def build_roll_again(said: Form, _: Table, text: Execution, __: Any) -> Step:
    """Build the step in which start dice are rolled again."""
    before = tuple(sorted(said["dice"]))
    return RollAgain(dice=len(before), seat=text.by, before=before)

"""Questions that card texts ask, as a position says them: the text being carried out, and what it asks.

The text stands just past the line that asks; the words of that line say the rest of the question.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.cardscript.language.builtins import Choose
from referee.cardscript.language.interpreter import CarryOut
from referee.cardscript.language.primitives import Lines, Word
from referee.cardscript.positions.bindings import bound_by, said_of
from referee.cardscript.positions.steps import Said, Steps
from referee.cardscript.questions import Choosing
from referee.engine.codec import Unreadable
from referee.engine.steps import Step
from referee.games.creature_crush.card_attributes import TEXTS
from referee.games.creature_crush.components import program
from referee.games.creature_crush.derived import worth
from referee.games.creature_crush.positions.questions.happened import around, of_turn
from referee.games.creature_crush.rules.actions.searching import Searching
from referee.games.creature_crush.rules.actions.summoning import MOVED, REVIVED, TAKEN, Placing
from referee.games.creature_crush.rules.combat.rerolling import Rerolling, RollAgain
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.texts.nouns import InReach
from referee.games.creature_crush.texts.selecting import (
    AtRandom,
    ChooseSome,
    ChoosingSome,
    DrawTargets,
    RollForTarget,
    WithDice,
    pips_of,
)
from referee.games.creature_crush.texts.verbs_of_cards import RerollDice, Search
from referee.games.creature_crush.texts.verbs_of_creatures import MoveTo, Revive, TakeControl

Builder = Callable[[Said, Table], Steps]
Top = Callable[[Said, Table, CarryOut, Any], Step]  # makes the question on top of a text and of the word that asks


def lines_of(card: str, text: str) -> Lines:
    """The lines of a text, none if the card has no such text."""
    try:
        return program(card, text)
    except KeyError:
        return ()


def text_of(said: Said, table: Table, *kinds: type[Word]) -> tuple[CarryOut, Any]:
    """The text that asks, just past the line of one of these kinds, and that line's word. Raises Unreadable."""
    card, by = said["card"], of_turn(said, table, "by")
    for part in [said["part"]] if "part" in said else TEXTS:
        lines = lines_of(card, part)
        asking = [at for at, line in enumerate(lines) if isinstance(line.word, kinds)]
        at = said.get("line", asking[0] if asking else -1)
        if at in asking:
            bound = bound_by(said, around(table, card, part, by))
            return CarryOut(card, part, by, at + 1, bound, tuple(said.get("secret", ()))), lines[at].word
    raise Unreadable("/question/card", f"no such line of {card} asks this")


def of_a_text(*kinds: type[Word]) -> Callable[[Top], Builder]:
    """Makes a builder of a function that gives the question on top of the text."""

    def wrap(top: Top) -> Builder:
        def build(said: Said, table: Table) -> Steps:
            text, word = text_of(said, table, *kinds)
            return (text, top(said, table, text, word))

        return build

    return wrap


def written(asks: str, table: Table, **more: Any) -> Said:
    """The form of a question on top of a text; nothing if none lies beneath."""
    text = table.agenda[-2] if len(table.agenda) > 1 else None
    if not isinstance(text, CarryOut) or text.at < 1:
        return {}
    said: Said = {"asks": asks, "card": text.card, "part": text.text, "by": text.by, "line": text.at - 1, **more}
    return said | said_of(text, around(table, text.card, text.text, text.by))


# ---- the questions ---------------------------------------------------------------------------------------------------


@of_a_text(Choose, WithDice)
def choose(_: Said, __: Table, text: CarryOut, word: Any) -> Step:
    """A card text lets its player choose one thing; after dice, of those that they have hit. Raises Unreadable."""
    if isinstance(word, WithDice):
        if pips_of(word.called) not in text.bound:
            raise Unreadable("/question/known", f"{pips_of(word.called)} is missing: what was rolled?")
        return Choosing(text.by, text.card, InReach(word.noun, pips_of(word.called)), word.called)
    return Choosing(text.by, text.card, word.noun, word.called, word.optional, word.duty, word.unseen)


@of_a_text(ChooseSome)
def choose_some(said: Said, table: Table, text: CarryOut, word: Any) -> Step:
    """A card text lets its player choose several things."""
    count = said.get("count", worth(table, word.count, text.bound))
    return ChoosingSome(text.by, text.card, word.noun, word.called, count, word.up_to)


@of_a_text(AtRandom)
def at_random(said: Said, table: Table, text: CarryOut, word: Any) -> Step:
    """Chance finds targets for a card text."""
    return DrawTargets(text.card, word.noun, word.called, said.get("count", worth(table, word.count, text.bound)))


@of_a_text(WithDice)
def target_dice(_: Said, __: Table, text: CarryOut, word: Any) -> Step:
    """Dice are to be rolled that find a target for a card text."""
    return RollForTarget(dice=word.dice, seat=text.by, card=text.card, noun=word.noun, called=word.called)


@of_a_text(Revive, TakeControl, MoveTo)
def place(said: Said, _: Table, text: CarryOut, word: Any) -> Step:
    """A creature is brought to a place of its player's choice. Raises Unreadable."""
    how, name = {
        Revive: (REVIVED, "card"), TakeControl: (TAKEN, "creature"), MoveTo: (MOVED, "creature")
    }[type(word)]  # fmt: skip
    creature = said.get("creature", text.first(getattr(word, name)))
    if creature is None:
        raise Unreadable("/question/creature", "is missing: which creature?")
    return Placing(text.by, str(creature), how)


@of_a_text(Search)
def search(_: Said, __: Table, text: CarryOut, word: Any) -> Step:
    """A player looks through the own deck."""
    return Searching(text.by, text.card, word.kind, word.cost_max, word.count, opened=True)


@of_a_text(RerollDice)
def reroll(_: Said, __: Table, text: CarryOut, word: Any) -> Step:
    """A player may roll start dice again."""
    return Rerolling(text.by, text.card, word.count)


@of_a_text(RerollDice)
def roll_again(said: Said, _: Table, text: CarryOut, __: Any) -> Step:
    """Start dice are to be rolled again."""
    before = tuple(sorted(said["dice"]))
    return RollAgain(dice=len(before), seat=text.by, before=before)

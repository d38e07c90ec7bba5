"""Counted amounts of card texts.

They are as many as there are heroes in a party, cards in a hand, or things with a name. Clauses: HTS-COUNT-1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from referee.cardscript.language.primitives import Program, Values
from referee.cardscript.table import HAND_PLACES
from referee.engine.rulebook.book import BookError

if TYPE_CHECKING:
    from referee.cardscript.language.interpreter import Execution
    from referee.games.here_to_slay.state import Table

CLASSES = ("fighter", "guardian", "ranger", "thief", "wizard", "bard")
MEASURES: dict[str, str] = {  # what an amount may count, in the words of the guide
    "heroes_of": "the heroes in this player's party, with `class` only those of one class",
    "classes_of": "the different classes in this party, the leader's among them",
    "items_of": "the items that the heroes of this player carry, cursed ones too",
    "slain_of": "the monsters that this player has slain",
    "hand_of": "the cards in this player's hand",
    "number_of": "what a name of the text stands for",
}
AMOUNT_KEYS = (*MEASURES, "class", "times", "plus")
LARGEST = 20  # of `times` and `plus`


@dataclass(frozen=True)
class Amount:
    """A number that is counted when it is needed.

    It is `times` what is counted, and `plus` more.

    HTS-COUNT-1: What a text counts is counted when the line is carried out, and on a roll whenever the roll is added
        up. A number below nothing counts as nothing, but on a roll.
    """

    measure: str
    of: str
    class_: str = ""
    times: int = 1
    plus: int = 0

    @property
    def mentioned_names(self) -> tuple[str, ...]:
        """The names of the text that the amount makes use of."""
        return (self.of,)

    @classmethod
    def from_card(cls, file: str, data: Any, line: int) -> Amount:
        """Return the amount that a card writes. Raises BookError."""
        if not isinstance(data, dict):
            raise BookError(
                f"{file}:{line}: {data!r} is neither a whole number nor an amount such as {{heroes_of: me}}"
            )
        at = getattr(data, "line", line)
        for key in data:
            if key not in AMOUNT_KEYS:
                near = get_close_matches(key, AMOUNT_KEYS, 1)
                hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(sorted(AMOUNT_KEYS))}"
                raise BookError(f"{file}:{at}: an amount takes no {key!r}; {hint}")
        measures = [key for key in data if key in MEASURES]
        if len(measures) != 1:
            raise BookError(f"{file}:{at}: an amount needs exactly one of {', '.join(MEASURES)}")
        (measure,) = measures
        of, class_ = data[measure], data.get("class", "")
        if not isinstance(of, str):
            raise BookError(f"{file}:{at}: {measure}: {of!r} is no name")
        if class_ and (measure != "heroes_of" or class_ not in CLASSES):
            raise BookError(f"{file}:{at}: class: only heroes_of takes one; known: {', '.join(CLASSES)}")
        times, plus = data.get("times", 1), data.get("plus", 0)
        for key, number in (("times", times), ("plus", plus)):
            if type(number) is not int or not -LARGEST <= number <= LARGEST:
                raise BookError(f"{file}:{at}: {key} must be a whole number from -{LARGEST} to {LARGEST}")
        return cls(measure, of, class_, times, plus)


Count = int | Amount


def compute_amount(table: Table, amount: Amount, bound: Mapping[str, Values]) -> int:
    """Compute an amount for a text that has bound these names.

    Raises Undetermined.

    HTS-COUNT-1: What a text counts is counted when the line is carried out, and on a roll whenever the roll is added
        up. A number below nothing counts as nothing, but on a roll.
    """
    values = bound.get(amount.of, ())
    if amount.measure == "number_of":
        counted = len(values)
    else:
        counted = sum(_count_for_player(table, amount, value) for value in values if isinstance(value, int))
    return amount.times * counted + amount.plus


def _count_for_player(table: Table, amount: Amount, seat: int) -> int:
    match amount.measure:
        case "heroes_of":
            heroes = table.party_of(seat)
            return len([hero for hero in heroes if not amount.class_ or table.class_of(hero) == amount.class_])
        case "classes_of":
            return len(table.classes_of(seat))
        case "items_of":
            return len([item for owner, _, item in table.iterate_items() if owner == seat])
        case "slain_of":
            return len(table.monsters_slain_by(seat))
    return table.count_cards_at(HAND_PLACES[seat])


def count_for_line(table: Table, text: Execution, count: Count) -> int:
    """Return the number that a line of a text means now, at least 0.

    Raises Undetermined.
    """
    return count if isinstance(count, int) else max(0, compute_amount(table, count, text.bound))


def list_amounts(program: Program) -> Iterator[tuple[int, Amount]]:
    """Yield the amounts of a program, each with the number of its line."""
    for at, line in enumerate(program):
        for value in vars(line.effect).values():
            if isinstance(value, Amount):
                yield at, value

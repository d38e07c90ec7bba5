"""Conditions and amounts of cards as data.

Examples are `{hand_min: {of: opponent, count: 4}}`, `{zone: A}` and `{x: 1, plus: 1}`. A card writes a condition under
`if` of a standing value, under `that` of `flips_when`, and in a text with `check`. If a mapping has several keys, all
of them have to hold. `derived.py` says what they mean. Clauses: CC-EFF-COND-1, CC-CRUSH-2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

from referee.cardscript.language.conditions import CardCondition
from referee.engine.rulebook.book import BookError

PLAYERS = ("me", "opponent")
# of a player: hand cards, deck cards, cards in hell, creatures, and how many creatures more than the opponent
PLAYER_CONDITIONS = (
    "hand_min", "hand_max", "deck_min", "deck_max", "hell_min", "hell_max", "creatures_min", "creatures_max",
    "lead_min",
)  # fmt: skip
CARD_CONDITIONS = ("cost_min", "cost_max", "attack_min", "attack_max")  # of a creature that the text names
ZONES = ("A", "B")
CONDITION_WORDS = (*PLAYER_CONDITIONS, *CARD_CONDITIONS, "zone", "not")
NO_LIMIT = -1


@dataclass(frozen=True)
class Condition(CardCondition):
    """One condition: `of` is a player or a name of the text, `value` a zone."""

    of: str = ""
    value: str = ""
    number: int = 0
    WORDS: ClassVar[tuple[str, ...]] = CONDITION_WORDS

    @classmethod
    def parse_word(cls, file: str, word: str, value: Any, line: int) -> Self:
        if word == "not":
            return cls(word, (cls.from_card(file, value, line),))
        if word == "zone":
            if value not in ZONES:
                raise BookError(f"{file}:{line}: zone: {value!r} is none of {', '.join(ZONES)}")
            return cls(word, value=value)
        if not isinstance(value, dict) or set(value) != {"of", "count"} or type(value["count"]) is not int:
            form = (
                "a player and a number, {of: me, count: 3}"
                if word in PLAYER_CONDITIONS
                else "a name, {of: target, count: 3}"
            )
            raise BookError(f"{file}:{line}: {word} takes {form}, not {value!r}")
        if word in PLAYER_CONDITIONS and value["of"] not in PLAYERS:
            raise BookError(f"{file}:{line}: {word}: of {value['of']!r} is none of {', '.join(PLAYERS)}")
        return cls(word, of=str(value["of"]), number=value["count"])


# what can be counted: of a card that the text names, how many things a name stands for, pips of dice, and of a player
CARD_MEASURES = ("attack_of", "damage_of", "life_of", "cost_of", "growth_of")
HIGHEST_PIPS = 6
PLAYER_MEASURES = ("hand_of", "deck_of", "hell_of", "creatures_of", "dice_of")
MEASURES = (*CARD_MEASURES, "number_of", "pips_of", *PLAYER_MEASURES)
AMOUNT_FORMS = "a number, all, {x: 1, plus: 1} or a measure, {attack_of: name, times: 2, plus: 1}"


@dataclass(frozen=True)
class Amount:
    """How much or how many.

    It is `plus` and `times_x` times the dice burned for the card, or `plus` and `times` times what is counted
    (`measure` of a name or a player, `of`). If `plus` is NO_LIMIT it is all.
    """

    plus: int = 0
    times_x: int = 0
    measure: str = ""
    of: str = ""
    times: int = 1

    @classmethod
    def from_card(cls, file: str, data: Any, line: int) -> Amount:
        """Return the amount that a card text writes. Raises BookError.

        The forms are a number, `all`, `{x: 1, plus: 1}`, and a measure with or without factor and sum.
        """
        if type(data) is int and 0 <= data <= 99:
            return cls(data)
        if data == "all":
            return cls(NO_LIMIT)
        parts = dict(data) if isinstance(data, dict) else {}
        measure = next((key for key in parts if key in MEASURES), "")
        of = parts.pop(measure, "")
        small = all(type(value) is int and 0 <= value <= 99 for value in parts.values())
        if measure and isinstance(of, str) and small and set(parts) <= {"times", "plus"}:
            if measure in PLAYER_MEASURES and of not in PLAYERS:
                raise BookError(f"{file}:{line}: {measure}: {of!r} is none of {', '.join(PLAYERS)}")
            return cls(parts.get("plus", 0), measure=measure, of=of, times=parts.get("times", 1))
        if small and "x" in parts and set(parts) <= {"x", "plus"}:
            return cls(parts.get("plus", 0), parts["x"])
        raise BookError(
            f"{file}:{line}: {data!r} is not an amount: {AMOUNT_FORMS}, of {', '.join(MEASURES)}; numbers are 0 to 99"
        )

    @property
    def mentioned_names(self) -> tuple[str, ...]:
        """The name of the text whose card or number it counts."""
        return (self.of,) if self.of else ()

    @property
    def is_all(self) -> bool:
        """Whether there is no limit."""
        return self.plus == NO_LIMIT


ONE_AMOUNT = Amount(1)

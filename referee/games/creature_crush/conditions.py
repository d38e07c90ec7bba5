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


@dataclass(frozen=True)
class Amount:
    """How much or how many.

    It is `plus` and `times_x` times the dice burned for the card, or the attack of a creature that the text names
    (`attack_of`). If `plus` is NO_LIMIT it is all.
    """

    plus: int = 0
    times_x: int = 0
    attack_of: str = ""

    @classmethod
    def from_card(cls, file: str, data: Any, line: int) -> Amount:
        """Return the amount that a card text writes. Raises BookError.

        The forms are a number, `all`, `{x: 1, plus: 1}` and `{attack_of: attacker}`.
        """
        if type(data) is int and 0 <= data <= 99:
            return cls(data)
        if data == "all":
            return cls(NO_LIMIT)
        if isinstance(data, dict) and set(data) == {"attack_of"} and isinstance(data["attack_of"], str):
            return cls(attack_of=data["attack_of"])
        small = isinstance(data, dict) and all(type(value) is int and 0 <= value <= 99 for value in data.values())
        if small and "x" in data and set(data) <= {"x", "plus"}:
            return cls(data.get("plus", 0), data["x"])
        forms = "a number, all, {x: 1, plus: 1} or {attack_of: name}; numbers, x and plus are 0 to 99"
        raise BookError(f"{file}:{line}: {data!r} is not an amount: {forms}")

    @property
    def is_all(self) -> bool:
        """Whether there is no limit."""
        return self.plus == NO_LIMIT


ONE_AMOUNT = Amount(1)

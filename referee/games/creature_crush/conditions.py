"""Conditions and amounts of cards as data.

Examples are `{hand_min: {of: opponent, count: 4}}`, `{zone: A}` and `{x: 1, plus: 1}`. A card writes a condition under
`if` of a standing value, under `that` of `flips_when`, and in a text with `check`. If a mapping has several keys, all
of them have to hold. `derived.py` says what they mean. Clauses: CC-EFF-COND-1, CC-CRUSH-2.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

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
class Condition:
    """One condition.

    `of` is a player or a name of the text, `value` a zone. All conditions in `all_of` have to hold.
    """

    word: str
    of: str = ""
    value: str = ""
    number: int = 0
    all_of: tuple[Condition, ...] = ()

    @classmethod
    def from_card(cls, file: str, data: Any, line: int) -> Condition:
        """Return the condition that a card text writes as a parameter. Raises BookError."""
        return parse_condition(file, data, line)


def parse_condition(file: str, data: Any, line: int) -> Condition:
    """Return the condition that a mapping describes. Raises BookError.

    If the mapping has several keys, all of them have to hold.
    """
    if not isinstance(data, dict) or not data:
        raise BookError(f"{file}:{line}: a condition is a mapping, not {data!r}")
    line = getattr(data, "line", line)
    parts = tuple(_parse_single_condition(file, key, value, line) for key, value in data.items())
    return parts[0] if len(parts) == 1 else Condition("all", all_of=parts)


def _parse_single_condition(file: str, key: str, value: Any, line: int) -> Condition:
    if key not in CONDITION_WORDS:
        near = get_close_matches(key, CONDITION_WORDS, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(CONDITION_WORDS)}"
        raise BookError(f"{file}:{line}: unknown condition {key!r}; {hint}")
    if key == "not":
        return Condition(key, all_of=(parse_condition(file, value, line),))
    if key == "zone":
        if value not in ZONES:
            raise BookError(f"{file}:{line}: zone: {value!r} is none of {', '.join(ZONES)}")
        return Condition(key, value=value)
    if not isinstance(value, dict) or set(value) != {"of", "count"} or type(value["count"]) is not int:
        form = (
            "a player and a number, {of: me, count: 3}"
            if key in PLAYER_CONDITIONS
            else "a name, {of: target, count: 3}"
        )
        raise BookError(f"{file}:{line}: {key} takes {form}, not {value!r}")
    if key in PLAYER_CONDITIONS and value["of"] not in PLAYERS:
        raise BookError(f"{file}:{line}: {key}: of {value['of']!r} is none of {', '.join(PLAYERS)}")
    return Condition(key, of=str(value["of"]), number=value["count"])


def mentions_word(condition: Condition, word: str) -> bool:
    """Return whether this word stands anywhere in a condition."""
    return condition.word == word or any(mentions_word(each, word) for each in condition.all_of)


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

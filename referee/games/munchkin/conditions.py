"""Conditions of cards as data, such as `{not: {in_combat: true}}`.

Further examples: `{any_fighter: {town: easter}}`, `{level_min: 3}`. A card writes them under `if` of a static ability,
under `requires` and `requires_target`, and as `check` in a text. If one mapping has several keys, all of them have to
hold. `strength.py` evaluates them.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from referee.engine.rulebook.book import BookError

TOWNS = ("halloween", "christmas", "easter", "thanksgiving")
SLOTS = ("headgear", "armor", "footgear", "hand", "none")
TAGS = ("undead", "demon")
FLAG_CONDITIONS = (
    "no_town", "has_ride", "with_helper", "alone", "is_helper", "is_main", "in_combat", "is_highest", "losing",
)  # fmt: skip
NUMBER_CONDITIONS = ("level_min", "level_max", "carried_gold_min", "monsters_max", "hand_min")
WORD_CONDITIONS = {"town": TOWNS, "wears": SLOTS, "monster_tag": TAGS, "other_monster_tag": TAGS}
ITEM_CONDITIONS = ("carries",)  # an item in play that fits: {slot, size, equipped, one_shot}
NESTED_CONDITIONS = ("any_fighter", "not")
CONDITION_NAMES = (*FLAG_CONDITIONS, *NUMBER_CONDITIONS, *WORD_CONDITIONS, *ITEM_CONDITIONS, *NESTED_CONDITIONS)
SIZES = ("big", "small")


@dataclass(frozen=True)
class ItemFilter:
    """Which items in play are meant.

    Every key that is given has to fit (MK-7.13).
    """

    slot: str = ""
    size: str = ""
    equipped: bool = False
    one_shot: bool = False


@dataclass(frozen=True)
class Condition:
    """One condition of a card, or several that all have to hold (`all_of`).

    `word` names the condition and so decides which of `value`, `number`, `fitting` and `all_of` is used.
    """

    word: str
    value: str = ""
    number: int = 0
    fitting: ItemFilter = ItemFilter()
    all_of: tuple[Condition, ...] = ()

    @classmethod
    def from_card(cls, file: str, data: Any, line: int) -> Condition:
        """Return the condition that a card text writes as a parameter (`check`).

        Raises BookError.
        """
        return parse_condition(file, data, line)

    def mentions_word(self, word: str) -> bool:
        """Return whether the condition, or one within it, uses this word."""
        return self.word == word or any(each.mentions_word(word) for each in self.all_of)


def parse_item_filter(file: str, data: Any, line: int) -> ItemFilter:
    """Return the filter that a mapping describes. Raises BookError."""
    if not isinstance(data, dict):
        raise BookError(f"{file}:{line}: which items is a mapping, not {data!r}")
    for key, value in data.items():
        allowed: tuple[Any, ...] = {"slot": SLOTS, "size": SIZES, "equipped": (True,), "one_shot": (True,)}.get(key, ())
        if not any(type(value) is type(each) and value == each for each in allowed):
            raise BookError(f"{file}:{line}: items cannot be picked by {key}: {value!r}")
    return ItemFilter(**data)


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
    if key not in CONDITION_NAMES:
        near = get_close_matches(key, CONDITION_NAMES, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(CONDITION_NAMES)}"
        raise BookError(f"{file}:{line}: unknown condition {key!r}; {hint}")
    if key in NESTED_CONDITIONS:
        return Condition(key, all_of=(parse_condition(file, value, line),))
    if key in ITEM_CONDITIONS:
        return Condition(key, fitting=parse_item_filter(file, value, line))
    if key in WORD_CONDITIONS:
        if value not in WORD_CONDITIONS[key]:
            raise BookError(f"{file}:{line}: {key}: {value!r} is none of {', '.join(WORD_CONDITIONS[key])}")
        return Condition(key, value=value)
    if key in NUMBER_CONDITIONS:
        if type(value) is not int:
            raise BookError(f"{file}:{line}: {key}: {value!r} is not a whole number")
        return Condition(key, number=value)
    if value is not True:
        raise BookError(f"{file}:{line}: {key} must be true")
    return Condition(key)

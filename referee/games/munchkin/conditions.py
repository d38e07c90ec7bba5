"""Conditions of cards as data, such as `{not: {in_combat: true}}`.

Further examples: `{any_fighter: {town: easter}}`, `{level_min: 3}`. A card writes them under `if` of a static ability,
under `requires` and `requires_target`, and as `check` in a text. If one mapping has several keys, all of them have to
hold. `strength.py` evaluates them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

from referee.cardscript.language.conditions import CardCondition
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


def parse_item_filter(file: str, data: Any, line: int) -> ItemFilter:
    """Return the filter that a mapping describes. Raises BookError."""
    if not isinstance(data, dict):
        raise BookError(f"{file}:{line}: which items is a mapping, not {data!r}")
    for key, value in data.items():
        allowed: tuple[Any, ...] = {"slot": SLOTS, "size": SIZES, "equipped": (True,), "one_shot": (True,)}.get(key, ())
        if not any(type(value) is type(each) and value == each for each in allowed):
            raise BookError(f"{file}:{line}: items cannot be picked by {key}: {value!r}")
    return ItemFilter(**data)


@dataclass(frozen=True)
class Condition(CardCondition):
    """One condition: its word decides which of the other fields is used."""

    value: str = ""
    number: int = 0
    fitting: ItemFilter = ItemFilter()
    WORDS: ClassVar[tuple[str, ...]] = CONDITION_NAMES

    @classmethod
    def parse_word(cls, file: str, word: str, value: Any, line: int) -> Self:
        if word in NESTED_CONDITIONS:
            return cls(word, (cls.from_card(file, value, line),))
        if word in ITEM_CONDITIONS:
            return cls(word, fitting=parse_item_filter(file, value, line))
        if word in WORD_CONDITIONS:
            if value not in WORD_CONDITIONS[word]:
                raise BookError(f"{file}:{line}: {word}: {value!r} is none of {', '.join(WORD_CONDITIONS[word])}")
            return cls(word, value=value)
        if word in NUMBER_CONDITIONS:
            if type(value) is not int:
                raise BookError(f"{file}:{line}: {word}: {value!r} is not a whole number")
            return cls(word, number=value)
        if value is not True:
            raise BookError(f"{file}:{line}: {word} must be true")
        return cls(word)

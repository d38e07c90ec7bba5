"""Conditions of cards as data, such as `{not: {in_combat: true}}`.

Further examples: `{any_fighter: {town: easter}}`, `{level_min: 3}`. A card writes them under `if` of a static ability,
under `requires` and `requires_target`, and as `check` in a text. If one mapping has several keys, all of them have to
hold. `strength.py` evaluates them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from referee.cardscript.language.conditions import CardCondition
from referee.engine.codec import OMIT_IF_EMPTY
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


Bound = tuple[int, ...]  # one number, which may be 0, or none


@dataclass(frozen=True)
class ItemFilter:
    """Which items in play are meant.

    Every key that is given has to fit (MK-7.13).
    """

    slot: str = ""
    size: str = ""
    equipped: bool = False
    one_shot: bool = False
    gold_min: Bound = field(default=(), metadata=OMIT_IF_EMPTY)
    gold_max: Bound = field(default=(), metadata=OMIT_IF_EMPTY)
    bonus_min: Bound = field(default=(), metadata=OMIT_IF_EMPTY)
    bonus_max: Bound = field(default=(), metadata=OMIT_IF_EMPTY)


ITEM_NUMBERS = ("gold_min", "gold_max", "bonus_min", "bonus_max")


def parse_item_filter(file: str, data: Any, line: int) -> ItemFilter:
    """Return the filter that a mapping describes. Raises BookError."""
    if not isinstance(data, dict):
        raise BookError(f"{file}:{line}: which items is a mapping, not {data!r}")
    found = dict(data)
    for key, value in data.items():
        allowed: tuple[Any, ...] = {"slot": SLOTS, "size": SIZES, "equipped": (True,), "one_shot": (True,)}.get(key, ())
        if key in ITEM_NUMBERS and type(value) is int:
            found[key] = (value,)
        elif not any(type(value) is type(each) and value == each for each in allowed):
            raise BookError(f"{file}:{line}: items cannot be picked by {key}: {value!r}")
    return ItemFilter(**found)


# What can be counted of players: level, hand cards, items in play and their gold, monsters fought; and of a name of the
# text how many players or cards it stands for, or the number that it is.
PLAYER_MEASURES = ("level_of", "hand_of", "items_of", "big_items_of", "gold_of", "monsters_of")
NAME_MEASURES = ("number_of", "value_of")
MEASURES = (*PLAYER_MEASURES, *NAME_MEASURES)
MOST_TIMES = 20
AMOUNT_FORMS = "a whole number, or something counted, {level_of: me, times: 2, plus: 1}"


@dataclass(frozen=True)
class Amount:
    """What is counted of a name of the text (`of`), `times` a factor, `plus` a number.

    With `per` it is counted once for that many, such as once for each 500 gold.
    """

    measure: str
    of: str
    times: int = 1
    plus: int = 0
    per: int = 1

    @classmethod
    def from_card(cls, file: str, data: Any, line: int) -> Amount:
        """Return the amount that a card text writes. Raises BookError."""
        parts = dict(data) if isinstance(data, dict) else {}
        measure = next((key for key in parts if key in MEASURES), "")
        of = parts.pop(measure, None)
        allowed = {"times": range(-MOST_TIMES, MOST_TIMES + 1), "plus": range(-MOST_TIMES, MOST_TIMES + 1)}
        allowed |= {"per": range(1, 10_001)}
        fits = all(type(value) is int and value in allowed.get(key, ()) for key, value in parts.items())
        if not measure or not isinstance(of, str) or not fits or parts.get("times") == 0:
            raise BookError(
                f"{file}:{line}: {data!r} is not an amount: {AMOUNT_FORMS}, of {', '.join(MEASURES)}; "
                f"times and plus are -{MOST_TIMES} to {MOST_TIMES}, per is 1 or more"
            )
        return cls(measure, of, **parts)

    @property
    def mentioned_names(self) -> tuple[str, ...]:
        """The name of the text that it counts."""
        return (self.of,)


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

"""What a card of this game says apart from its texts, read and checked: its kind, its numbers, what it gives.

No card looks at the sex of a character (MK-1.9). Clauses: MK-4.3, MK-7.1, MK-7.2, MK-7.7, MK-8.1, MK-8.6, MK-10.4.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from referee.cards.reader import Marked, Reader
from referee.cards.words import Vocabulary
from referee.games.munchkin.conditions import SLOTS, TAGS, TOWNS, Condition, read_condition

DOOR_KINDS = ("monster", "enhancer", "curse", "citizenship", "dual_citizenship", "wandering_monster", "door_special")
TREASURE_KINDS = ("item", "one_shot", "go_up_a_level", "ride", "ride_enhancer", "treasure_special")
KINDS = (*DOOR_KINDS, *TREASURE_KINDS)
TIMES = (
    "calm", "own_turn", "any_time", "any_combat", "my_combat", "fleeing", "any_flee", "after_my_roll",
    "reaction_curse",
)  # fmt: skip
TEXTS = ("does", "enters", "reward", "escaped", "bad_stuff", "lets_pass")
STAYS = ("lifted", "next_combat_end")
PLAIN = ("id", "kind", "name", "text", "bad_text", "copies", "clauses", "sourced", "licensed", "note")
COMMON = ("when", "requires", "requires_target", "standing", "does")
BY_KIND: dict[str, tuple[str, ...]] = {
    "monster": (
        "level",
        "treasures",
        "levels",
        "tags",
        "standing",
        "enters",
        "reward",
        "escaped",
        "bad_stuff",
        "lets_pass",
    ),
    "enhancer": COMMON,
    "curse": (*COMMON, "stays"),
    "citizenship": ("town", "when", "standing", "powers"),
    "dual_citizenship": ("when",),
    "wandering_monster": COMMON,
    "door_special": (*COMMON, "face_up"),
    "item": ("slot", "hands", "big", "bonus", "gold", "requires", "standing"),
    "one_shot": (*COMMON, "gold"),
    "go_up_a_level": COMMON,
    "ride": ("bonus", "standing", "when"),
    "ride_enhancer": ("bonus", "standing", "when"),
    "treasure_special": COMMON,
}
NUMBERED = (
    "strength", "escape", "die_rolls", "hand_limit", "big_limit", "hand_slots", "treasures", "help_treasures", "loot",
)  # fmt: skip
SWITCHES = ("no_one_shots", "level_only", "no_helper", "double_enhancers", "no_pursuit", "lets_pass")
SLOTTED = ("no_bonus", "only_bonus", "shields")


@dataclass(frozen=True)
class Standing:
    """What a card gives all the time while it lies in play, or in the combat if it is a monster; `when` must hold."""

    what: str
    number: int = 0
    slot: str = ""
    when: Condition | None = None


@dataclass(frozen=True)
class Power:
    """What a citizenship lets its owner do for a price (MK-4.9). `cost`: a monster of the hand, or an item in play
    worth at least `gold`; at most `limit` times in a `per` (combat, or monster)."""

    name: str
    when: str
    cost: str
    gold: int
    limit: int
    per: str


@dataclass(frozen=True)
class Stays:
    """A curse that stays before its victim: until when, unless what, and the slot with whose item it goes."""

    until: str
    unless: Condition | None = None
    lost_with: str = ""


@dataclass(frozen=True)
class Face:
    """All that a card says but for its texts."""

    id: str
    kind: str
    copies: int = 1
    level: int = 0
    treasures: int = 0
    levels: int = 1
    tags: tuple[str, ...] = ()
    town: str = ""
    slot: str = ""
    hands: int = 0
    big: bool = False
    bonus: int = 0
    gold: int | None = None  # None: no value at all, so it is no item (MK-7.1)
    when: tuple[str, ...] = ()
    requires: Condition | None = None
    requires_target: Condition | None = None
    standing: tuple[Standing, ...] = ()
    powers: tuple[Power, ...] = ()
    stays: Stays | None = None
    face_up: bool = False  # takes effect when it is drawn face up (MK-5.3)
    gives_tag: str = ""  # the tag that the card makes a monster have (MK-12.2)
    clauses: tuple[str, ...] = field(default=())

    @property
    def deck(self) -> str:
        """The deck it belongs to: door or treasure (MK-1.2)."""
        return "door" if self.kind in DOOR_KINDS else "treasure"

    def gives(self, what: str) -> tuple[Standing, ...]:
        """What the card gives all the time, of one sort."""
        return tuple(each for each in self.standing if each.what == what)


def read_face(file: str, entry: Marked) -> Face:
    """The face that an entry of a card file describes. Raises Misprint with file, line and suggestion."""
    reader = Reader(file, Vocabulary())
    line, kind = entry.line, entry.get("kind")
    if kind not in KINDS:
        raise reader.unknown(line, "unknown kind", str(kind), KINDS)
    allowed = (*PLAIN, *BY_KIND[kind])
    for key in entry:
        if key not in allowed:
            raise reader.unknown(line, f"a card of kind {kind} takes no", key, allowed)
    for key in ("id", "name", "text", "clauses", *(("level", "bad_stuff", "bad_text") if kind == "monster" else ())):
        if not entry.get(key):
            raise reader.wrong(line, f"{key} is missing")
    for key, known in (("slot", SLOTS), ("town", TOWNS)):
        if key in entry and entry[key] not in known:
            raise reader.unknown(line, f"unknown {key}", str(entry[key]), known)
    for tag in entry.get("tags", ()):
        if tag not in TAGS:
            raise reader.unknown(line, "unknown tag", str(tag), TAGS)
    times = entry.get("when", ())
    times = (times,) if isinstance(times, str) else tuple(times)
    for word in times:
        if word not in TIMES:
            raise reader.unknown(line, "unknown time", str(word), TIMES)
    for key in ("level", "treasures", "levels", "hands", "bonus", "gold", "copies"):
        if key in entry and type(entry[key]) is not int:
            raise reader.wrong(line, f"{key} needs a whole number")
    return Face(
        id=entry["id"],
        kind=kind,
        copies=entry.get("copies", 1),
        level=entry.get("level", 0),
        treasures=entry.get("treasures", 0),
        levels=entry.get("levels", 1),
        tags=tuple(entry.get("tags", ())),
        town=entry.get("town", ""),
        slot=entry.get("slot", ""),
        hands=entry.get("hands", 0),
        big=entry.get("big", False),
        bonus=entry.get("bonus", 0),
        gold=entry.get("gold", 0) if kind in ("item", "one_shot") else None,
        when=times,
        requires=_condition(file, entry, "requires"),
        requires_target=_condition(file, entry, "requires_target"),
        standing=tuple(_standing(reader, part) for part in entry.get("standing", ())),
        powers=tuple(_power(reader, part) for part in entry.get("powers", ())),
        stays=_stays(reader, entry),
        face_up=entry.get("face_up", False),
        gives_tag=next((part.get("tag", "") for part in entry.get("does", ()) if part.get("do") == "enhance"), ""),
        clauses=tuple(entry["clauses"]),
    )


def _condition(file: str, entry: Marked, key: str) -> Condition | None:
    return read_condition(file, entry[key], entry.line) if key in entry else None


def _standing(reader: Reader, part: Any) -> Standing:
    if not isinstance(part, Marked):
        raise reader.wrong(0, f"a standing value is a mapping, not {part!r}")
    known = (*NUMBERED, *SWITCHES, *SLOTTED)
    what = next((key for key in part if key in known), None)
    if what is None:
        raise reader.unknown(part.line, "unknown standing value", str(next(iter(part), "")), known)
    for key in part:
        if key not in (what, "if"):
            raise reader.unknown(part.line, f"{what} takes no", key, ("if",))
    value, when = part[what], _condition(reader.file, part, "if")
    if what in NUMBERED:
        if type(value) is not int:
            raise reader.wrong(part.line, f"{what} needs a whole number")
        return Standing(what, value, when=when)
    if what in SLOTTED:
        if value not in SLOTS:
            raise reader.unknown(part.line, "unknown slot", str(value), SLOTS)
        return Standing(what, slot=value, when=when)
    if value is not True:
        raise reader.wrong(part.line, f"{what} is followed by true")
    return Standing(what, when=when)


def _power(reader: Reader, part: Any) -> Power:
    known = ("name", "when", "cost", "gold", "limit", "per", "does")
    for key in part:
        if key not in known:
            raise reader.unknown(part.line, "a power takes no", key, known)
    for key, allowed in (("when", TIMES), ("cost", ("monster", "item")), ("per", ("combat", "monster"))):
        if part.get(key) not in allowed:
            raise reader.unknown(part.line, f"unknown {key} of a power", str(part.get(key)), allowed)
    return Power(part["name"], part["when"], part["cost"], part.get("gold", 0), part.get("limit", 1), part["per"])


def _stays(reader: Reader, entry: Marked) -> Stays | None:
    part = entry.get("stays")
    if part is None:
        return None
    for key in part:
        if key not in ("until", "unless", "lost_with"):
            raise reader.unknown(part.line, "stays takes no", key, ("until", "unless", "lost_with"))
    if part.get("until") not in STAYS:
        raise reader.unknown(part.line, "stays until", str(part.get("until")), STAYS)
    return Stays(part["until"], _condition(reader.file, part, "unless"), part.get("lost_with", ""))

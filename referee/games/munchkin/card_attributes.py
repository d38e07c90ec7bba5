"""What a card of this game says apart from its texts, read and checked: its kind, its numbers, what it gives.

No card looks at the sex of a character (MK-1.9). Clauses: MK-4.3, MK-7.1, MK-7.2, MK-7.7, MK-8.1, MK-8.6, MK-10.4.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from referee.cardscript.books.card_attributes import FaceReader
from referee.cardscript.language.parser import Marked
from referee.engine.rulebook.editions import Misprints
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

    @cached_property
    def deck(self) -> str:
        """The deck it belongs to: door or treasure (MK-1.2)."""
        return "door" if self.kind in DOOR_KINDS else "treasure"

    def gives(self, what: str) -> tuple[Standing, ...]:
        """What the card gives all the time, of one sort."""
        return tuple(each for each in self.standing if each.what == what) if self.standing else ()


NEEDED: dict[str, tuple[str, ...]] = {
    "monster": ("level", "bad_stuff", "bad_text"),
    "curse": ("when",),
    "citizenship": ("town", "when"),
    "dual_citizenship": ("when",),
    "item": ("slot",),
    "ride": ("when",),
    "ride_enhancer": ("when",),
    **dict.fromkeys(
        ("enhancer", "wandering_monster", "door_special", "one_shot", "go_up_a_level", "treasure_special"),
        ("when", "does"),
    ),
}
SPANS = {  # least and most of every number
    "copies": (1, 20), "level": (1, 100), "treasures": (0, 20), "levels": (1, 10), "hands": (0, 2), "bonus": (-20, 20),
    "gold": (0, 10_000),
}  # fmt: skip
MOST = 20  # standing values of one card, and powers


def read_face(file: str, entry: Marked) -> Face:
    """The face that an entry of a card file describes. Raises Misprints with all that is wrong: file, line, suggestion.

    The clauses that a card rests on are asked of the game's own cards only (`check_own`).
    """
    reader = FaceReader(file)
    kind = entry.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise Misprints([reader.no_kind(entry, KINDS)])
    allowed = (*PLAIN, *BY_KIND[kind])
    for key in entry:
        if key not in allowed:
            reader.amiss(reader.unknown(entry.at(key), f"a card of kind {kind} takes no", key, allowed))
    for key in ("id", "name", "text", *NEEDED[kind]):
        if entry.get(key) in (None, "", (), [], {}):
            reader.amiss(reader.wrong(entry.line, f"{key} is missing"))
    face = Face(str(entry.get("id")), kind)
    for read in (_numbers, _words, _conditions, _given):
        with reader.noted.noted():
            face = read(reader, entry, face)
    reader.noted.settle()
    return face


def _numbers(reader: FaceReader, entry: Marked, face: Face) -> Face:
    usual = {"copies": 1, "levels": 1, "level": 1}
    found: dict[str, Any] = {key: reader.whole(entry, key, usual.get(key, 0), *span) for key, span in SPANS.items()}
    if face.kind != "monster":
        found["level"] = 0
    if face.kind not in ("item", "one_shot"):
        found["gold"] = None
    return replace(face, **found, big=reader.truth(entry, "big"), face_up=reader.truth(entry, "face_up"))


def _words(reader: FaceReader, entry: Marked, face: Face) -> Face:
    clauses = reader.parts(entry, "clauses", MOST)
    if not all(isinstance(clause, str) for clause in clauses):
        raise reader.wrong(entry.at("clauses"), "clauses is followed by a list of clauses")
    does = entry.get("does")
    lines = does if isinstance(does, list) else []
    giving = (part for part in lines if isinstance(part, Marked) and part.get("do") == "enhance")
    return replace(
        face,
        tags=reader.words_of(entry, "tags", TAGS, "tag"),
        town=reader.one_of(entry, "town", TOWNS),
        slot=reader.one_of(entry, "slot", SLOTS),
        when=reader.words_of(entry, "when", TIMES, "time"),
        gives_tag=next((str(part.get("tag", "")) for part in giving), ""),
        clauses=tuple(clauses),
    )


def _conditions(reader: FaceReader, entry: Marked, face: Face) -> Face:
    requires, target = (_condition(reader, entry, key) for key in ("requires", "requires_target"))
    return replace(face, requires=requires, requires_target=target, stays=_stays(reader, entry))


def _given(reader: FaceReader, entry: Marked, face: Face) -> Face:
    standing = tuple(_standing(reader, part, entry.at("standing")) for part in reader.parts(entry, "standing", MOST))
    powers = tuple(_power(reader, part, entry.at("powers")) for part in reader.parts(entry, "powers", MOST))
    return replace(face, standing=standing, powers=powers)


def _condition(reader: FaceReader, entry: Marked, key: str) -> Condition | None:
    return read_condition(reader.file, entry[key], entry.at(key)) if key in entry else None


def _standing(reader: FaceReader, given: Any, line: int) -> Standing:
    known = (*NUMBERED, *SWITCHES, *SLOTTED)
    what = next((key for key in given if key in known), None) if isinstance(given, Marked) else None
    if isinstance(given, Marked) and what is None:
        raise reader.unknown(given.line, "unknown standing value", str(next(iter(given), "")), known)
    part = reader.keys(given, line, (what or "", "if"), what or "standing")
    when = _condition(reader, part, "if")
    if when is not None and when.mentions("losing"):
        raise reader.wrong(part.at("if"), "who is losing follows from what cards give, not the other way round")
    if what in NUMBERED:
        return Standing(what, reader.whole(part, what, 0, -20, 20), when=when)
    if what in SLOTTED:
        return Standing(what, slot=reader.one_of(part, what, SLOTS), when=when)
    if what is None or part[what] is not True:
        raise reader.wrong(part.line, f"{what} is followed by true")
    return Standing(what, when=when)


def _power(reader: FaceReader, given: Any, line: int) -> Power:
    part = reader.keys(given, line, ("name", "title", "when", "cost", "gold", "limit", "per", "does"), "a power")
    name = part.get("name")
    if not isinstance(name, str) or not name.isidentifier():
        raise reader.wrong(part.at("name"), f"a power needs a name: {name!r} is none")
    for key in ("when", "cost", "per", "does"):
        if not part.get(key):
            raise reader.wrong(part.line, f"{key} of a power is missing")
    cost, per = reader.one_of(part, "cost", ("monster", "item")), reader.one_of(part, "per", ("combat", "monster"))
    if (cost, per) not in PAID:
        raise reader.wrong(part.at("per"), "a monster is paid per combat, and an item per monster")
    limit, gold = reader.whole(part, "limit", 1, 1, 20), reader.whole(part, "gold", 0, *SPANS["gold"])
    return Power(name, reader.one_of(part, "when", IN_COMBAT[cost]), cost, gold, limit, per)


PAID = (("monster", "combat"), ("item", "monster"))
IN_COMBAT = {"monster": ("any_combat", "my_combat"), "item": ("fleeing",)}


def _stays(reader: FaceReader, entry: Marked) -> Stays | None:
    if "stays" not in entry:
        return None
    part = reader.keys(entry["stays"], entry.at("stays"), ("until", "unless", "lost_with"), "stays")
    until = reader.one_of(part, "until", STAYS)
    if not until:
        raise reader.wrong(part.line, "stays says until when")
    return Stays(until, _condition(reader, part, "unless"), reader.one_of(part, "lost_with", SLOTS))

"""Everything a card says apart from its texts, read from YAML and checked.

No card looks at the sex of a character (MK-1.9). Clauses: MK-4.3, MK-7.1, MK-7.2, MK-7.7, MK-8.1, MK-8.6, MK-10.4.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from referee.cardscript.books.card_attributes import FaceParser
from referee.cardscript.language.located_yaml import LocatedMapping
from referee.engine.rulebook.editions import CardBookError
from referee.games.munchkin.conditions import PLAYER_MEASURES, SLOTS, TAGS, TOWNS, Amount, Condition

DOOR_KINDS = ("monster", "enhancer", "curse", "citizenship", "dual_citizenship", "wandering_monster", "door_special")
TREASURE_KINDS = ("item", "one_shot", "go_up_a_level", "ride", "ride_enhancer", "treasure_special")
KINDS = (*DOOR_KINDS, *TREASURE_KINDS)
PLAY_TIMES = (
    "calm", "own_turn", "any_time", "any_combat", "my_combat", "fleeing", "any_flee", "after_my_roll",
    "reaction_curse", "after_any_roll", "reaction_any_curse",
)  # fmt: skip
TEXT_NAMES = ("does", "enters", "reward", "escaped", "bad_stuff", "lets_pass")
TRIGGER_EVENTS = ("level_lost", "level_gained", "monster_killed", "died", "turn_starts")
TRIGGER_SUBJECTS = ("me", "others", "anyone")
WAYS_TO_GAIN = ("kill", "sale", "card")  # how a level is gained
TRIGGER_NAMES = ("player",)  # what such a text finds bound besides: to whom it happened
CURSE_DURATIONS = ("lifted", "next_combat_end", "next_turn")
BASE_KEYS = ("id", "kind", "name", "text", "bad_text", "copies", "clauses", "sourced", "licensed", "note")
PLAYED_CARD_KEYS = ("when", "requires", "requires_target", "standing", "does")
KEYS_BY_KIND: dict[str, tuple[str, ...]] = {
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
    "enhancer": (*PLAYED_CARD_KEYS, "grants"),
    "curse": (*PLAYED_CARD_KEYS, "stays", "whenever"),
    "citizenship": ("town", "when", "standing", "powers", "whenever"),
    "dual_citizenship": ("when",),
    "wandering_monster": PLAYED_CARD_KEYS,
    "door_special": (*PLAYED_CARD_KEYS, "face_up"),
    "item": ("slot", "hands", "big", "bonus", "gold", "requires", "standing", "whenever"),
    "one_shot": (*PLAYED_CARD_KEYS, "gold"),
    "go_up_a_level": PLAYED_CARD_KEYS,
    "ride": ("bonus", "standing", "when", "whenever"),
    "ride_enhancer": ("bonus", "standing", "when", "whenever"),
    "treasure_special": PLAYED_CARD_KEYS,
}
NUMBER_ABILITIES = (
    "strength", "escape", "die_rolls", "hand_limit", "big_limit", "hand_slots", "treasures", "help_treasures", "loot",
    "sale_times",
)  # fmt: skip
SWITCH_ABILITIES = (
    "no_one_shots", "level_only", "no_helper", "double_enhancers", "no_pursuit", "lets_pass", "spares", "cannot_help",
    "cannot_play_one_shots",
)  # fmt: skip
SLOT_ABILITIES = ("no_bonus", "only_bonus", "shields")
CAUSE_ABILITIES = ("keeps_levels",)  # each with the cause from which it protects
CAUSES = ("curse", "bad_stuff")
# what an enhancer can give to the monster on which it lies
GRANTED_ABILITIES = ("strength", "escape", "no_one_shots", "level_only", "no_helper", "no_pursuit", "no_bonus")


@dataclass(frozen=True)
class StaticAbility:
    """A value that a card gives all the time while its condition `when` holds.

    It counts while the card is in play. A monster's ability counts while the monster is in the combat.
    """

    what: str
    number: int = 0
    slot: str = ""
    when: Condition | None = None
    cause: str = ""  # curse or bad_stuff, from which it protects
    counted: Amount | None = None  # the number, where the card counts it (`strength` only)


@dataclass(frozen=True)
class Power:
    """What a citizenship lets its owner do for a price.

    `cost` is a monster from the hand, or an item in play worth at least `gold`. The power may be used `limit` times per
    `per` (combat or monster).
    MK-4.9: Each town gives its citizens a power.
    """

    name: str
    when: str
    cost: str
    gold: int
    limit: int
    per: str


@dataclass(frozen=True)
class Trigger:
    """Something that a card in play waits for, and the text that follows (MK-27.1).

    `by` is to whom it happens. `how`: the ways to gain a level that count; empty: all.
    """

    event: str
    by: str
    how: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class CurseDuration:
    """How long a curse stays before its victim.

    It stays until `until`, unless `unless` holds. It also goes with an item of the slot `lost_with`.
    """

    until: str
    unless: Condition | None = None
    lost_with: str = ""


@dataclass(frozen=True)
class Face:
    """Everything that a card says apart from its texts."""

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
    standing: tuple[StaticAbility, ...] = ()
    grants: tuple[StaticAbility, ...] = ()  # what a monster has while the card lies on it
    powers: tuple[Power, ...] = ()
    triggers: tuple[Trigger, ...] = ()
    stays: CurseDuration | None = None
    face_up: bool = False  # takes effect when it is drawn face up (MK-5.3)
    gives_tag: str = ""  # the tag that the card gives to a monster (MK-12.2)
    clauses: tuple[str, ...] = field(default=())

    @cached_property
    def deck(self) -> str:
        """The deck that the card belongs to: door or treasure (MK-1.2)."""
        return "door" if self.kind in DOOR_KINDS else "treasure"

    def find_abilities(self, what: str) -> tuple[StaticAbility, ...]:
        """Return the card's static abilities of one sort."""
        return tuple(each for each in self.standing if each.what == what) if self.standing else ()


REQUIRED_KEYS: dict[str, tuple[str, ...]] = {
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
NUMBER_RANGES = {  # the smallest and the largest value of each number
    "copies": (1, 20), "level": (1, 100), "treasures": (0, 20), "levels": (1, 10), "hands": (0, 2), "bonus": (-20, 20),
    "gold": (0, 10_000),
}  # fmt: skip
MAX_ABILITIES = 20  # of each list of a card: static abilities, powers, clauses


def parse_face(file: str, entry: LocatedMapping) -> Face:
    """Return the face that an entry of a card file describes.

    Raises CardBookError with all mistakes, each with file, line and a suggestion. The clauses that a card rests on are
    required of the game's own cards only (`check_own_card`).
    """
    reader = FaceParser(file)
    kind = entry.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise CardBookError([reader.unknown_kind_error(entry, KINDS)])
    allowed = (*BASE_KEYS, *KEYS_BY_KIND[kind])
    for key in entry:
        if key not in allowed:
            reader.note_error(
                reader.unknown_word_error(entry.line_of(key), f"a card of kind {kind} takes no", key, allowed)
            )
    for key in ("id", "name", "text", *REQUIRED_KEYS[kind]):
        if entry.get(key) in (None, "", (), [], {}):
            reader.note_error(reader.error_at(entry.line, f"{key} is missing"))
    face = Face(str(entry.get("id")), kind)
    for read in (_parse_numbers, _parse_words, _parse_conditions, _parse_abilities):
        with reader.collector.collect_error():
            face = read(reader, entry, face)
    reader.collector.raise_collected()
    return face


def _parse_numbers(reader: FaceParser, entry: LocatedMapping, face: Face) -> Face:
    usual = {"copies": 1, "levels": 1, "level": 1}
    found: dict[str, Any] = {
        key: reader.parse_whole_number(entry, key, usual.get(key, 0), *span) for key, span in NUMBER_RANGES.items()
    }
    if face.kind != "monster":
        found["level"] = 0
    if face.kind not in ("item", "one_shot"):
        found["gold"] = None
    return replace(
        face, **found, big=reader.parse_boolean(entry, "big"), face_up=reader.parse_boolean(entry, "face_up")
    )


def _parse_words(reader: FaceParser, entry: LocatedMapping, face: Face) -> Face:
    clauses = reader.parse_list(entry, "clauses", MAX_ABILITIES)
    if not all(isinstance(clause, str) for clause in clauses):
        raise reader.error_at(entry.line_of("clauses"), "clauses must be a list of clauses")
    does = entry.get("does")
    lines = does if isinstance(does, list) else []
    giving = (part for part in lines if isinstance(part, LocatedMapping) and part.get("do") == "enhance")
    return replace(
        face,
        tags=reader.parse_known_words(entry, "tags", TAGS, "tag"),
        town=reader.parse_known_word(entry, "town", TOWNS),
        slot=reader.parse_known_word(entry, "slot", SLOTS),
        when=reader.parse_known_words(entry, "when", PLAY_TIMES, "time"),
        gives_tag=next((str(part.get("tag", "")) for part in giving), ""),
        clauses=tuple(clauses),
    )


def _parse_conditions(reader: FaceParser, entry: LocatedMapping, face: Face) -> Face:
    requires, target = (_parse_optional_condition(reader, entry, key) for key in ("requires", "requires_target"))
    return replace(face, requires=requires, requires_target=target, stays=_parse_curse_duration(reader, entry))


def _parse_abilities(reader: FaceParser, entry: LocatedMapping, face: Face) -> Face:
    standing, grants = (
        tuple(
            _parse_static_ability(reader, part, entry.line_of(key))
            for part in reader.parse_list(entry, key, MAX_ABILITIES)
        )
        for key in ("standing", "grants")
    )
    powers = tuple(
        _parse_power(reader, part, entry.line_of("powers"))
        for part in reader.parse_list(entry, "powers", MAX_ABILITIES)
    )
    triggers = tuple(
        _parse_trigger(reader, part, entry.line_of("whenever"), number)
        for number, part in enumerate(reader.parse_list(entry, "whenever", MAX_ABILITIES))
    )
    return replace(face, standing=standing, grants=grants, powers=powers, triggers=triggers)


def _parse_trigger(reader: FaceParser, given: Any, line: int, number: int) -> Trigger:
    part = reader.require_mapping(given, line, ("event", "by", "how", "may", "does"), "whenever")
    for key in ("event", "does"):
        if not part.get(key):
            raise reader.error_at(part.line, f"{key} of whenever is missing")
    event, by = (
        reader.parse_known_word(part, "event", TRIGGER_EVENTS),
        reader.parse_known_word(part, "by", TRIGGER_SUBJECTS) or "me",
    )
    how = reader.parse_known_words(part, "how", WAYS_TO_GAIN, "way")
    if how and event != "level_gained":
        raise reader.error_at(part.line_of("how"), "only level_gained takes how")
    reader.parse_boolean(part, "may")
    return Trigger(event, by, how, f"whenever{number}")


def _parse_optional_condition(reader: FaceParser, entry: LocatedMapping, key: str) -> Condition | None:
    return Condition.from_card(reader.file, entry[key], entry.line_of(key)) if key in entry else None


def _parse_static_ability(reader: FaceParser, given: Any, line: int) -> StaticAbility:
    abilities = (*NUMBER_ABILITIES, *SWITCH_ABILITIES, *SLOT_ABILITIES, *CAUSE_ABILITIES)
    what = next((key for key in given if key in abilities), None) if isinstance(given, LocatedMapping) else None
    if isinstance(given, LocatedMapping) and what is None:
        raise reader.unknown_word_error(given.line, "unknown standing value", str(next(iter(given), "")), abilities)
    part = reader.require_mapping(given, line, (what or "", "if"), what or "standing")
    when = _parse_optional_condition(reader, part, "if")
    if when is not None and when.mentions_word("losing"):
        raise reader.error_at(part.line_of("if"), "losing cannot be a condition here: it depends on what cards give")
    if what == "strength" and isinstance(part[what], dict):
        return StaticAbility(what, when=when, counted=_parse_counted_strength(reader, part))
    if what in NUMBER_ABILITIES:
        return StaticAbility(what, reader.parse_whole_number(part, what, 0, -20, 20), when=when)
    if what in CAUSE_ABILITIES:
        return StaticAbility(what, cause=reader.parse_known_word(part, what, CAUSES), when=when)
    if what in SLOT_ABILITIES:
        return StaticAbility(what, slot=reader.parse_known_word(part, what, SLOTS), when=when)
    if what is None or part[what] is not True:
        raise reader.error_at(part.line, f"{what} must be true")
    return StaticAbility(what, when=when)


def _parse_counted_strength(reader: FaceParser, part: LocatedMapping) -> Amount:
    counted = Amount.from_card(reader.file, part["strength"], part.line_of("strength"))
    if counted.measure not in PLAYER_MEASURES or counted.of not in ("me", "main"):
        raise reader.error_at(
            part.line_of("strength"),
            f"strength counts {', '.join(PLAYER_MEASURES)} of me, or on a monster of main, not {counted.measure} of "
            f"{counted.of}",
        )
    return counted


def _parse_power(reader: FaceParser, given: Any, line: int) -> Power:
    part = reader.require_mapping(
        given, line, ("name", "title", "when", "cost", "gold", "limit", "per", "does"), "a power"
    )
    name = part.get("name")
    if not isinstance(name, str) or not name.isidentifier():
        raise reader.error_at(part.line_of("name"), f"a power needs a name, and {name!r} is not a valid one")
    for key in ("when", "cost", "per", "does"):
        if not part.get(key):
            raise reader.error_at(part.line, f"{key} of a power is missing")
    cost, per = (
        reader.parse_known_word(part, "cost", ("monster", "item")),
        reader.parse_known_word(part, "per", ("combat", "monster")),
    )
    if (cost, per) not in COSTS_AND_PERIODS:
        raise reader.error_at(part.line_of("per"), "with cost monster, per must be combat; with cost item, monster")
    limit, gold = (
        reader.parse_whole_number(part, "limit", 1, 1, 20),
        reader.parse_whole_number(part, "gold", 0, *NUMBER_RANGES["gold"]),
    )
    return Power(name, reader.parse_known_word(part, "when", POWER_TIMES_BY_COST[cost]), cost, gold, limit, per)


COSTS_AND_PERIODS = (("monster", "combat"), ("item", "monster"))
POWER_TIMES_BY_COST = {"monster": ("any_combat", "my_combat"), "item": ("fleeing",)}


def _parse_curse_duration(reader: FaceParser, entry: LocatedMapping) -> CurseDuration | None:
    if "stays" not in entry:
        return None
    part = reader.require_mapping(entry["stays"], entry.line_of("stays"), ("until", "unless", "lost_with"), "stays")
    until = reader.parse_known_word(part, "until", CURSE_DURATIONS)
    if not until:
        raise reader.error_at(part.line, "stays needs 'until'")
    return CurseDuration(
        until, _parse_optional_condition(reader, part, "unless"), reader.parse_known_word(part, "lost_with", SLOTS)
    )

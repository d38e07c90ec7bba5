"""What a card says apart from its texts, read and checked.

That is its kind, its numbers, and what it gives as long as it is on the field. Clauses: CC-CARD-1, CC-CARD-2,
CC-CRUSH-2, CC-CRUSH-FLIP-3, CC-EFF-PERM-1, CC-KEY-LIVELY-1 to CC-KEY-SLUGGISH-1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from referee.cardscript.language.located_yaml import LocatedMapping
from referee.cardscript.language.parser import CardTextParser
from referee.cardscript.language.primitives import Vocabulary
from referee.engine.rulebook.book import BookError
from referee.engine.rulebook.editions import ErrorCollector
from referee.games.creature_crush.conditions import Amount, Condition

CARD_KINDS = ("creature", "crush")
KEYWORDS = ("lively", "vengeful", "sluggish")
WATCHING_TEXTS = (  # set off by others
    "opponent_starts", "turn_ends", "ally_dies", "enemy_dies", "ally_arrives", "enemy_arrives", "flips",
    "opponent_flips",
)  # fmt: skip
TEXT_NAMES = (
    "action", "trap", "hell", "attacks", "attacked", "attacks_directly", "kills", "turn_starts",
    *WATCHING_TEXTS, "flip",
)  # fmt: skip
CREATURE_TEXTS, CRUSH_CARD_TEXTS = TEXT_NAMES[:-1], ("trap", "hell", "flip")
FLIP_EVENTS = (  # events that a crush card may wait for before it is flipped, as its possessor sees them
    "enemy_attacks", "enemy_attacks_directly", "ally_attacks", "ally_destroyed", "enemy_summoned", "opponent_flips",
)  # fmt: skip
AMBIENT_NAMES: dict[str, tuple[str, ...]] = {  # the names that a text can use besides `me`, `this` and `opponent`
    "attacks": ("defender",), "attacked": ("attacker",), "kills": (), "enemy_attacks": ("attacker", "defender"),
    "enemy_attacks_directly": ("attacker",), "ally_attacks": ("attacker", "defender"), "ally_destroyed": ("victim",),
    "enemy_summoned": ("summoned",), "opponent_flips": ("flipped",),
    "ally_dies": ("victim",), "ally_arrives": ("summoned",), "enemy_arrives": ("summoned",), "flips": ("flipped",),
}  # fmt: skip
NUMERIC_ABILITIES, SWITCH_ABILITIES = ("attack", "armor", "cost"), ("lively", "vengeful", "sluggish", "free_aim")
DAMAGE_LIMIT = "attack_damage_max"  # the most damage that one attack does to it
PROHIBITIONS = ("attack", "attack_directly", "be_attacked", "be_chosen")  # what a creature cannot do or suffer
ABILITY_RECEIVERS = ("me", "adjacent", "a_row", "b_row", "allies", "enemies", "opposite")
COUNTED = ("hand_of", "deck_of", "hell_of", "creatures_of")  # what a standing value may count
COMMON_KEYS = ("id", "kind", "name", "text", "cost", "copies", "clauses", "sourced", "note")
KEYS_BY_KIND = {
    "creature": ("attack", "life", "keywords", "standing", *CREATURE_TEXTS),
    "crush": ("flips_when", *CRUSH_CARD_TEXTS),
}
COST_X, MOST_DICE, HIGHEST_COST = -1, 4, 30
HIGHEST_NUMBER = 99


@dataclass(frozen=True)
class StaticAbility:
    """What a creature gives as long as it is on the field and `when` holds.

    `what` is attack, armor, cost, a keyword, free_aim, attack_damage_max, or cannot_ and what it cannot do. `to` is the
    creature itself, its adjacent allies, the allies of a row, all allies, all enemies, or the enemies of its own
    column. The number may be counted.
    """

    what: str
    number: int | Amount = 0
    to: str = "me"
    when: Condition | None = None


@dataclass(frozen=True)
class Prerequisite:
    """What must be so before a crush card is flipped: an event, a condition, or both.

    `event` is empty if the card waits for none.
    """

    event: str = ""
    that: Condition | None = None


@dataclass(frozen=True)
class Face:
    """All that a card says apart from its texts.

    `cost` is in pips for a creature and in dice for a crush card. `COST_X` stands for any number of dice.
    """

    id: str
    kind: str
    cost: int = 0
    attack: int = 0
    life: int = 0
    keywords: tuple[str, ...] = ()
    standing: tuple[StaticAbility, ...] = ()
    texts: tuple[str, ...] = ()  # which texts it has
    flips_when: Prerequisite | None = None
    clauses: tuple[str, ...] = ()

    @property
    def is_creature(self) -> bool:
        """Whether this is a creature. Otherwise it is a crush card."""
        return self.kind == "creature"


def find_ambient_names(entry: LocatedMapping, text: str) -> tuple[str, ...]:
    """Return the names that are bound for this text, besides those of all texts."""
    when = entry.get("flips_when")
    event = when.get("event", "") if text == "flip" and isinstance(when, dict) else text
    return AMBIENT_NAMES.get(str(event), ())


def parse_face(file: str, entry: LocatedMapping) -> Face:
    """Return the face that an entry of a card file describes.

    Raises CardBookError with all errors, each with its line and a suggestion.
    """
    reader, findings = CardTextParser(file, Vocabulary()), ErrorCollector()
    kind = entry.get("kind")
    if kind not in CARD_KINDS:
        raise reader.unknown_kind_error(entry, CARD_KINDS)
    allowed = (*COMMON_KEYS, *KEYS_BY_KIND[kind])
    needed = ("id", "name", "text", "cost", *(("attack", "life") if kind == "creature" else ("flip",)))
    for key in entry:
        if key not in allowed:
            findings.errors.append(
                _build_key_error(reader, entry, key, [each for each in allowed if each not in entry])
            )
    findings.errors += [reader.error_at(entry.line, f"{key} is missing") for key in needed if key not in entry]
    cost = attack = life = 0
    keywords: tuple[str, ...] = ()
    standing: list[StaticAbility] = []
    flips_when: Prerequisite | None = None
    with findings.collect_error():
        cost = _parse_cost(reader, entry)
    with findings.collect_error():
        attack = _parse_number(reader, entry, "attack", 0)
    with findings.collect_error():
        life = _parse_number(reader, entry, "life", 1)
    with findings.collect_error():
        keywords = _parse_keywords(reader, entry)
    with findings.collect_error():
        for part in _require_list(reader, entry, "standing", "[{attack: 1, to: adjacent}]"):
            with findings.collect_error():
                standing.append(_parse_ability(reader, part, entry.line_of("standing")))
    with findings.collect_error():
        flips_when = _parse_prerequisite(reader, entry)
    with findings.collect_error():
        _require_list(reader, entry, "clauses", "[CC-CARD-1]")
    findings.raise_collected()
    return Face(
        id=entry["id"],
        kind=kind,
        cost=cost,
        attack=attack,
        life=life,
        keywords=keywords,
        standing=tuple(standing),
        texts=tuple(text for text in TEXT_NAMES if text in entry),
        flips_when=flips_when,
        clauses=tuple(entry.get("clauses", ())),
    )


def _build_key_error(reader: CardTextParser, entry: LocatedMapping, key: str, allowed: list[str]) -> BookError:
    """Build the error for a key that a card of this kind does not take."""
    line, kind = entry.line_of(key), entry["kind"]
    other = next((each for each, keys in KEYS_BY_KIND.items() if key in keys), None)
    if other is not None:
        return reader.error_at(line, f"a card of kind {kind} takes no {key!r}; a card of kind {other} does")
    return reader.unknown_word_error(line, f"a card of kind {kind} takes no", key, allowed)


def _parse_cost(reader: CardTextParser, entry: LocatedMapping) -> int:
    cost, line = entry.get("cost", 1), entry.line_of("cost")
    if entry["kind"] == "crush":
        if cost == "X":
            return COST_X
        if type(cost) is not int or not 0 <= cost <= MOST_DICE:
            meant = "; did you mean 'X'?" if cost == "x" else ""
            raise reader.error_at(line, f"the cost of a crush card is X or 0 to {MOST_DICE} dice, not {cost!r}{meant}")
        return int(cost)
    if type(cost) is not int or not 1 <= cost <= HIGHEST_COST:
        hint = "; only a crush card costs X" if cost in ("X", "x") else ""
        raise reader.error_at(line, f"the cost of a creature is 1 to {HIGHEST_COST} pips, not {cost!r}{hint}")
    return int(cost)


def _parse_number(reader: CardTextParser, entry: LocatedMapping, key: str, least: int) -> int:
    if key not in entry:
        return 0
    value = entry[key]
    if type(value) is not int or not least <= value <= HIGHEST_NUMBER:
        raise reader.error_at(
            entry.line_of(key), f"{key} must be a whole number from {least} to {HIGHEST_NUMBER}, not {value!r}"
        )
    return int(value)


def _require_list(reader: CardTextParser, entry: LocatedMapping, key: str, example: str) -> list[Any]:
    """Return the list under a key. Raises BookError if it is no list."""
    listed = entry.get(key, [])
    if not isinstance(listed, list):
        raise reader.error_at(entry.line_of(key), f"{key} must be a list, such as {example}, not {listed!r}")
    return listed


def _parse_keywords(reader: CardTextParser, entry: LocatedMapping) -> tuple[str, ...]:
    words = _require_list(reader, entry, "keywords", "[lively]")
    for word in words:
        if word not in KEYWORDS:
            raise reader.unknown_word_error(entry.line_of("keywords"), "unknown keyword", str(word), KEYWORDS)
        if words.count(word) > 1:
            raise reader.error_at(entry.line_of("keywords"), f"{word} appears twice")
    return tuple(words)


def _parse_ability(reader: CardTextParser, part: Any, line: int) -> StaticAbility:
    if not isinstance(part, LocatedMapping):
        raise reader.error_at(
            line, f"a standing value must be a mapping such as {{attack: 1, to: adjacent}}, not {part!r}"
        )
    known = (*NUMERIC_ABILITIES, *SWITCH_ABILITIES, "cannot", DAMAGE_LIMIT)
    what = next((key for key in part if key in known), None)
    if what is None:
        given = next((key for key in part if key not in ("to", "if")), "")
        raise reader.unknown_word_error(part.line, "unknown standing value", given, known)
    for key in part:
        if key in known and key != what:
            raise reader.error_at(part.line, f"{what} and {key} are two standing values; each needs its own {{…}}")
        if key not in (what, "to", "if"):
            raise reader.unknown_word_error(part.line, f"{what} takes no", key, ("to", "if"))
    value, to = part[what], part.get("to", "me")
    if to not in ABILITY_RECEIVERS:
        raise reader.unknown_word_error(part.line, "unknown receivers", str(to), ABILITY_RECEIVERS)
    counted = Amount.from_card(reader.file, value, part.line) if isinstance(value, dict) else None
    if what in NUMERIC_ABILITIES and counted is not None:
        if counted.measure not in COUNTED:
            raise reader.error_at(part.line, f"{what} may count {', '.join(COUNTED)}, not {value!r}")
        value = counted
    elif what in NUMERIC_ABILITIES and (type(value) is not int or not 0 < abs(value) <= HIGHEST_NUMBER):
        raise reader.error_at(part.line, f"{what} must be a whole number up to {HIGHEST_NUMBER}, not {value!r}")
    if what == "cannot":
        if value not in PROHIBITIONS:
            raise reader.unknown_word_error(part.line, "cannot: unknown", str(value), PROHIBITIONS)
        what = f"cannot_{value}"
    if what == DAMAGE_LIMIT and (type(value) is not int or not 0 <= value <= HIGHEST_NUMBER):
        raise reader.error_at(part.line, f"{what} must be a whole number from 0 to {HIGHEST_NUMBER}, not {value!r}")
    if what in SWITCH_ABILITIES and value is not True:
        raise reader.error_at(part.line, f"{what} must be true, not {value!r}")
    when = Condition.from_card(reader.file, part["if"], part.line) if "if" in part else None
    return StaticAbility(what, value if what in (*NUMERIC_ABILITIES, DAMAGE_LIMIT) else 0, to, when)


def _parse_prerequisite(reader: CardTextParser, entry: LocatedMapping) -> Prerequisite | None:
    if "flips_when" not in entry:
        return None
    part = entry["flips_when"]
    if not isinstance(part, LocatedMapping) or not part:
        raise reader.error_at(
            entry.line_of("flips_when"), f"flips_when must be a mapping with 'event' or 'that', not {part!r}"
        )
    for key in part:
        if key not in ("event", "that"):
            raise reader.unknown_word_error(part.line, "flips_when takes no", key, ("event", "that"))
    event = part.get("event", "")
    if "event" in part and event not in FLIP_EVENTS:
        raise reader.unknown_word_error(part.line, "unknown event", str(event), FLIP_EVENTS)
    that = Condition.from_card(reader.file, part["that"], part.line) if "that" in part else None
    if that is not None and that.mentions_word("zone"):
        raise reader.error_at(part.line, "a crush card lies in neither zone, so 'zone' never holds for it")
    return Prerequisite(event, that)

"""What a card of this game says apart from its texts, read and checked: kind, numbers, what it gives all the time.

Clauses: CC-CARD-1, CC-CARD-2, CC-CRUSH-2, CC-CRUSH-FLIP-3, CC-EFF-PERM-1, CC-KEY-LIVELY-1 to CC-KEY-SLUGGISH-1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from referee.cards.reader import Marked, Reader
from referee.cards.words import Vocabulary
from referee.games.creature_crush.conditions import Condition, read_condition

KINDS = ("creature", "crush")
KEYWORDS = ("lively", "vengeful", "sluggish")
TEXTS = ("action", "trap", "hell", "attacks", "attacked", "attacks_directly", "kills", "turn_starts", "flip")
OF_CREATURES, OF_CRUSH_CARDS = TEXTS[:-1], ("flip",)
EVENTS = (  # what may have to happen before a crush card is flipped, seen by its possessor
    "enemy_attacks", "enemy_attacks_directly", "ally_attacks", "ally_destroyed", "enemy_summoned", "opponent_flips",
)  # fmt: skip
NAMES: dict[str, tuple[str, ...]] = {  # whom a text can speak of besides `me`, `this` and `opponent`
    "attacks": ("defender",), "attacked": ("attacker",), "kills": (), "enemy_attacks": ("attacker", "defender"),
    "enemy_attacks_directly": ("attacker",), "ally_attacks": ("attacker", "defender"), "ally_destroyed": ("victim",),
    "enemy_summoned": ("summoned",), "opponent_flips": ("flipped",),
}  # fmt: skip
NUMBERED, SWITCHES = ("attack", "armor"), ("lively", "vengeful", "sluggish", "free_aim")
WHOM = ("me", "adjacent", "a_row", "b_row", "allies")
PLAIN = ("id", "kind", "name", "text", "cost", "copies", "clauses", "sourced", "note")
BY_KIND = {
    "creature": ("attack", "life", "keywords", "standing", *OF_CREATURES),
    "crush": ("flips_when", *OF_CRUSH_CARDS),
}
X, MOST_DICE, HIGHEST_COST = -1, 4, 30
HIGHEST_NUMBER = 99


@dataclass(frozen=True)
class Standing:
    """What a creature gives all the time while it is on the field: `what` (attack, armor, a keyword, free_aim) to whom
    (itself, adjacent allies, the allies of a row, all allies), as long as `when` holds."""

    what: str
    number: int = 0
    to: str = "me"
    when: Condition | None = None


@dataclass(frozen=True)
class Prerequisite:
    """What must be so before a crush card is flipped: something that happens (`event`, empty: nothing), and a test."""

    event: str = ""
    that: Condition | None = None


@dataclass(frozen=True)
class Face:
    """All that a card says but for its texts. `cost`: pips of a creature, dice of a crush card (X: any number)."""

    id: str
    kind: str
    cost: int = 0
    attack: int = 0
    life: int = 0
    keywords: tuple[str, ...] = ()
    standing: tuple[Standing, ...] = ()
    texts: tuple[str, ...] = ()  # which texts it has
    flips_when: Prerequisite | None = None
    clauses: tuple[str, ...] = ()

    @property
    def is_creature(self) -> bool:
        """Whether this is a creature; else it is a crush card."""
        return self.kind == "creature"


def ambient(entry: Marked, text: str) -> tuple[str, ...]:
    """The names that a text of a card finds bound, besides those that all texts find."""
    when = entry.get("flips_when")
    event = when.get("event", "") if text == "flip" and isinstance(when, dict) else text
    return NAMES.get(event, ())


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
    for key in ("id", "name", "text", "cost", *(("attack", "life") if kind == "creature" else ("flip",))):
        if key not in entry:
            raise reader.wrong(line, f"{key} is missing")
    return Face(
        id=entry["id"],
        kind=kind,
        cost=_cost(reader, entry),
        attack=_number(reader, entry, "attack", 0),
        life=_number(reader, entry, "life", 1) if kind == "creature" else 0,
        keywords=_keywords(reader, entry),
        standing=tuple(_standing(reader, part) for part in entry.get("standing", ())),
        texts=tuple(text for text in TEXTS if text in entry),
        flips_when=_prerequisite(reader, entry),
        clauses=tuple(entry.get("clauses", ())),
    )


def _cost(reader: Reader, entry: Marked) -> int:
    cost, line = entry["cost"], entry.line
    if entry["kind"] == "crush":
        if cost == "X":
            return X
        if type(cost) is not int or not 0 <= cost <= MOST_DICE:
            raise reader.wrong(line, f"the cost of a crush card is X or 0 to {MOST_DICE} dice, not {cost!r}")
        return int(cost)
    if type(cost) is not int or not 1 <= cost <= HIGHEST_COST:
        raise reader.wrong(line, f"the cost of a creature is 1 to {HIGHEST_COST} pips, not {cost!r}")
    return int(cost)


def _number(reader: Reader, entry: Marked, key: str, least: int) -> int:
    value = entry.get(key, 0)
    if type(value) is not int or (key in entry and not least <= value <= HIGHEST_NUMBER):
        raise reader.wrong(entry.line, f"{key} is a whole number from {least} to {HIGHEST_NUMBER}, not {value!r}")
    return int(value)


def _keywords(reader: Reader, entry: Marked) -> tuple[str, ...]:
    words = entry.get("keywords", [])
    if not isinstance(words, list):
        raise reader.wrong(entry.line, "keywords is a list")
    for word in words:
        if word not in KEYWORDS:
            raise reader.unknown(entry.line, "unknown keyword", str(word), KEYWORDS)
    return tuple(words)


def _standing(reader: Reader, part: Any) -> Standing:
    if not isinstance(part, Marked):
        raise reader.wrong(0, f"a standing value is a mapping, not {part!r}")
    known = (*NUMBERED, *SWITCHES)
    what = next((key for key in part if key in known), None)
    if what is None:
        raise reader.unknown(part.line, "unknown standing value", str(next(iter(part), "")), known)
    for key in part:
        if key not in (what, "to", "if"):
            raise reader.unknown(part.line, f"{what} takes no", key, ("to", "if"))
    value, to = part[what], part.get("to", "me")
    if to not in WHOM:
        raise reader.unknown(part.line, "unknown receivers", str(to), WHOM)
    if what in NUMBERED and type(value) is not int:
        raise reader.wrong(part.line, f"{what} needs a whole number")
    if what in SWITCHES and value is not True:
        raise reader.wrong(part.line, f"{what} is followed by true")
    when = read_condition(reader.file, part["if"], part.line) if "if" in part else None
    return Standing(what, value if what in NUMBERED else 0, to, when)


def _prerequisite(reader: Reader, entry: Marked) -> Prerequisite | None:
    part = entry.get("flips_when")
    if part is None:
        return None
    if not isinstance(part, Marked) or not part:
        raise reader.wrong(entry.line, "flips_when is a mapping with 'event' or 'that'")
    for key in part:
        if key not in ("event", "that"):
            raise reader.unknown(part.line, "flips_when takes no", key, ("event", "that"))
    event = part.get("event", "")
    if event and event not in EVENTS:
        raise reader.unknown(part.line, "unknown event", str(event), EVENTS)
    that = read_condition(reader.file, part["that"], part.line) if "that" in part else None
    return Prerequisite(event, that)

"""What a card of Here to Slay says apart from its texts, read and checked: its numbers, and what it stands for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from referee.cards.reader import Marked, Reader
from referee.cards.words import Vocabulary

KINDS = ("hero", "item", "cursed_item", "magic", "modifier", "challenge", "leader", "monster")
CLASSES = ("fighter", "guardian", "ranger", "thief", "wizard", "bard")
ROLLS = ("hero", "attack", "challenger", "challenged")
EVENTS: dict[str, tuple[str, ...]] = {  # what a trigger may wait for, and the names its text finds bound
    "magic_played": (),
    "modifier_played": ("roller",),
    "roll_succeeded": ("roller", "hero"),
    "roll_failed": ("roller", "hero"),
    "challenged": ("challenger",),
    "hero_destroyed": (),
    "drawn": ("lot",),
}
PLAIN = ("id", "kind", "name", "text", "clauses", "sourced", "copies", "class", "min_players", "note")
BY_KIND: dict[str, tuple[str, ...]] = {
    "hero": ("roll", "does"),
    "item": ("standing", "whenever", "instead"),
    "cursed_item": ("standing", "whenever", "instead"),
    "magic": ("does",),
    "modifier": ("options",),
    "challenge": (),
    "leader": ("standing", "whenever", "action"),
    "monster": ("requires", "slay", "fight_back", "penalty", "reward", "standing", "whenever", "instead"),
}
STANDING: dict[str, tuple[str, ...]] = {
    "roll": ("plus", "setting"),
    "class": (),
    "sealed": (),
    "protects": (),
    "unchallenged": (),
    "points": (),
}


@dataclass(frozen=True)
class Span:
    """The totals from `least` to `most`; None: no limit on that side."""

    least: int | None = None
    most: int | None = None

    def holds(self, total: int) -> bool:
        """Whether a total lies within (HTS-ROLL-6, HTS-MON-7)."""
        return (self.least is None or total >= self.least) and (self.most is None or total <= self.most)


@dataclass(frozen=True)
class Standing:
    """What a card in play gives all the time (HTS-TERM-7); `setting` names the switch it depends on."""

    what: str
    values: tuple[str, ...] = ()
    plus: int = 0
    setting: str = ""


@dataclass(frozen=True)
class Trigger:
    """What sets a text of a card in play off: the event, by whom, on whose roll; `text` names the program."""

    event: str
    by: str
    on_roll: str
    text: str


@dataclass(frozen=True)
class Replacement:
    """What a card in play does in place of something that is about to happen (HTS-REPL-1)."""

    of: tuple[str, ...]
    may: bool
    text: str


@dataclass(frozen=True)
class Face:
    """All that a card says but for its texts; a trigger names its own, as `whenever0`."""

    id: str
    kind: str
    copies: int = 1
    class_: str = ""
    min_players: int = 0
    roll: Span = field(default_factory=Span)
    options: tuple[int, ...] = ()
    requires: tuple[str, ...] = ()
    slay: Span = field(default_factory=Span)
    fight_back: Span = field(default_factory=Span)
    standing: tuple[Standing, ...] = ()
    triggers: tuple[Trigger, ...] = ()
    replacements: tuple[Replacement, ...] = ()
    action_cost: int = 0
    clauses: tuple[str, ...] = ()

    def gives(self, what: str) -> tuple[Standing, ...]:
        """What the card gives all the time, of one sort."""
        return tuple(standing for standing in self.standing if standing.what == what)


def read_face(file: str, entry: Marked) -> Face:
    """The face that an entry of a card file describes. Raises Misprint with file, line and suggestion."""
    reader = Reader(file, Vocabulary())
    line, kind = entry.line, entry.get("kind")
    if kind not in KINDS:
        raise reader.unknown(line, "unknown kind", str(kind), KINDS)
    allowed = (*PLAIN, *BY_KIND[kind])
    for key in entry:
        if key not in allowed:
            raise reader.unknown(line, f"a {kind} takes no", key, allowed)
    for key in ("id", "name", "text", "clauses", *(("class", "roll") if kind == "hero" else ())):
        if not entry.get(key):
            raise reader.wrong(line, f"{key} is missing")
    if "class" in entry and entry["class"] not in CLASSES:
        raise reader.unknown(line, "unknown class", str(entry["class"]), CLASSES)
    action = entry.get("action")
    if action is not None:
        _keys(reader, action, ("cost", "once", "does"))
    return Face(
        id=entry["id"],
        kind=kind,
        copies=entry.get("copies", 1),
        class_=entry.get("class", ""),
        min_players=entry.get("min_players", 0),
        roll=_span(reader, entry, "roll"),
        options=tuple(entry.get("options", ())),
        requires=_requires(reader, entry),
        slay=_span(reader, entry, "slay"),
        fight_back=_span(reader, entry, "fight_back"),
        standing=tuple(_standing(reader, part) for part in entry.get("standing", ())),
        triggers=tuple(_trigger(reader, part, number) for number, part in enumerate(entry.get("whenever", ()))),
        replacements=tuple(_replacement(reader, part, n) for n, part in enumerate(listed(entry.get("instead", ())))),
        action_cost=action["cost"] if action else 0,
        clauses=tuple(entry["clauses"]),
    )


def listed(part: Any) -> Any:
    """A single mapping as a list of one."""
    return [part] if isinstance(part, dict) else part


def _keys(reader: Reader, part: Any, allowed: tuple[str, ...]) -> None:
    if not isinstance(part, Marked):
        raise reader.wrong(0, f"a mapping is needed, not {part!r}")
    for key in part:
        if key not in allowed:
            raise reader.unknown(part.line, "unknown key", key, allowed)


def _span(reader: Reader, entry: Marked, key: str) -> Span:
    part = entry.get(key)
    if part is None:
        return Span()
    _keys(reader, part, ("min", "max"))
    if not part or not all(type(value) is int for value in part.values()):
        raise reader.wrong(part.line, f"{key} needs a whole number under min or max")
    return Span(part.get("min"), part.get("max"))


def _requires(reader: Reader, entry: Marked) -> tuple[str, ...]:
    for slot in entry.get("requires", ()):
        if slot != "hero" and slot not in CLASSES:
            raise reader.unknown(entry.line, "unknown slot", str(slot), ("hero", *CLASSES))
    return tuple(entry.get("requires", ()))


def _standing(reader: Reader, part: Any) -> Standing:
    _keys(reader, part, (*STANDING, "plus", "setting"))
    what = next((key for key in part if key in STANDING), None)
    if what is None:
        raise reader.wrong(part.line, f"one of {', '.join(STANDING)} is needed")
    for key in part:
        if key != what and key not in STANDING[what]:
            raise reader.wrong(part.line, f"{what} takes no {key!r}")
    value = part[what]
    match what:
        case "roll":
            kinds = tuple(_listed_names(value))
            for kind in kinds:
                if kind not in ROLLS:
                    raise reader.unknown(part.line, "unknown roll", kind, ROLLS)
            return Standing(what, kinds, part.get("plus", 0), part.get("setting", ""))
        case "points":
            return Standing(what, (), int(value))
        case "sealed":
            return Standing(what)
    allowed = {"class": CLASSES, "protects": ("destroy", "steal"), "unchallenged": ("hero", "item", "magic")}[what]
    for name in _listed_names(value):
        if name not in allowed:
            raise reader.unknown(part.line, f"unknown {what}", name, allowed)
    return Standing(what, tuple(_listed_names(value)))


def _listed_names(value: Any) -> list[str]:
    return [str(part) for part in value] if isinstance(value, list) else [str(value)]


def _trigger(reader: Reader, part: Any, number: int) -> Trigger:
    _keys(reader, part, ("event", "by", "on_roll", "kind", "may", "again", "does"))
    event = part.get("event")
    if event not in EVENTS:
        raise reader.unknown(part.line, "unknown event", str(event), EVENTS)
    for key, allowed in (("by", ("me", "others", "anyone")), ("on_roll", ("anyones", "mine"))):
        if part.get(key, allowed[0]) not in allowed:
            raise reader.unknown(part.line, f"unknown {key}", str(part[key]), allowed)
    by, on_roll = part.get("by", "me"), part.get("on_roll", "anyones")
    return Trigger(event, by, on_roll, f"whenever{number}")


def _replacement(reader: Reader, part: Any, number: int) -> Replacement:
    _keys(reader, part, ("of", "may", "does"))
    kinds = tuple(_listed_names(part.get("of", ())))
    for kind in kinds:
        if kind not in ("destroy", "sacrifice"):
            raise reader.unknown(part.line, "unknown replacement of", kind, ("destroy", "sacrifice"))
    return Replacement(kinds, bool(part.get("may")), f"instead{number}")

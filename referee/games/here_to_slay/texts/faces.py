"""What a card of Here to Slay says apart from its texts, read and checked: its numbers, and what it stands for."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from referee.cardscript.books.card_attributes import FaceReader
from referee.cardscript.books.files import Misprints
from referee.cardscript.language.parser import Marked
from referee.games.here_to_slay.settings import SETTINGS

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
NEEDED: dict[str, tuple[str, ...]] = {  # without which a card of a kind cannot be played
    "hero": ("class", "roll", "does"),
    "item": (),
    "cursed_item": (),
    "magic": ("does",),
    "modifier": ("options",),
    "challenge": (),
    "leader": ("class",),
    "monster": ("requires", "slay", "fight_back", "penalty"),
}
ONE_COPY = ("hero", "leader", "monster")  # what lies on the table by its name is there once
MOST = {"standing": 6, "whenever": 2, "instead": 1}  # parts of a card
SWITCHES = tuple(name for name, schema in SETTINGS["properties"].items() if schema.get("type") == "boolean")
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
    """The face that an entry of a card file describes. Raises Misprints with all that is wrong: file, line, suggestion.

    The clauses that a card rests on are asked of the game's own cards only (`check_own`).
    """
    reader = FaceReader(file)
    kind = entry.get("kind")
    if kind not in KINDS:
        raise Misprints([reader.no_kind(entry, KINDS)])
    allowed = (*PLAIN, *BY_KIND[kind])
    for key in entry:
        if key not in allowed:
            reader.amiss(reader.unknown(entry.at(key), f"a {kind} takes no", key, allowed))
    for key in ("id", "name", "text", *NEEDED[kind]):
        if entry.get(key) in (None, "", {}):
            reader.amiss(reader.wrong(entry.line, f"{key} is missing"))
    face = Face(str(entry.get("id")), kind)
    for read in (_numbers, _classes, _spans, _abilities):
        with reader.noted.noted():
            face = read(reader, entry, face)
    reader.noted.settle()
    return face


def listed(part: Any) -> Any:
    """A single mapping as a list of one."""
    return [part] if isinstance(part, dict) else part


def _numbers(reader: FaceReader, entry: Marked, face: Face) -> Face:
    most = 1 if face.kind in ONE_COPY else 20
    copies = reader.whole(entry, "copies", 1, 1, most)
    options = entry.get("options", [])
    if not isinstance(options, list) or any(type(value) is not int or not -9 <= value <= 9 for value in options):
        raise reader.wrong(entry.at("options"), "options is followed by a list of whole numbers from -9 to 9")
    clauses = entry.get("clauses", [])
    if not isinstance(clauses, list) or not all(isinstance(clause, str) for clause in clauses):
        raise reader.wrong(entry.at("clauses"), "clauses is followed by a list of clauses")
    players = reader.whole(entry, "min_players", 0, 0, 6)
    return replace(face, copies=copies, options=tuple(options), clauses=tuple(clauses), min_players=players)


def _classes(reader: FaceReader, entry: Marked, face: Face) -> Face:
    requires = reader.words_of(entry, "requires", ("hero", *CLASSES), "slot")
    return replace(face, class_=reader.one_of(entry, "class", CLASSES), requires=requires)


def _spans(reader: FaceReader, entry: Marked, face: Face) -> Face:
    roll, slay, fight_back = (_span(reader, entry, key) for key in ("roll", "slay", "fight_back"))
    return replace(face, roll=roll, slay=slay, fight_back=fight_back)


def _abilities(reader: FaceReader, entry: Marked, face: Face) -> Face:
    standing = [_standing(reader, part, entry.at("standing")) for part in _parts(reader, entry, "standing")]
    whenever = _parts(reader, entry, "whenever")
    instead = _parts(reader, entry, "instead")
    action = entry.get("action")
    cost = 0
    if "action" in entry:
        part = reader.keys(action, entry.at("action"), ("cost", "once", "does"), "action")
        cost = reader.whole(part, "cost", 0, 1, 3)
        reader.one_of(part, "once", ("turn",), "turn")
    return replace(
        face,
        standing=tuple(standing),
        triggers=tuple(_trigger(reader, part, entry.at("whenever"), n) for n, part in enumerate(whenever)),
        replacements=tuple(_replacement(reader, part, entry.at("instead"), n) for n, part in enumerate(instead)),
        action_cost=cost,
    )


def _parts(reader: FaceReader, entry: Marked, key: str) -> list[Any]:
    parts = listed(entry.get(key, []))
    if not isinstance(parts, list):
        raise reader.wrong(entry.at(key), f"{key} is followed by a list")
    if len(parts) > MOST[key]:
        raise reader.wrong(entry.at(key), f"{key} has up to {MOST[key]} parts")
    return parts


def _span(reader: FaceReader, entry: Marked, key: str) -> Span:
    if key not in entry:
        return Span()
    part = reader.keys(entry[key], entry.at(key), ("min", "max"), key)
    if not part or not all(type(value) is int for value in part.values()):
        raise reader.wrong(part.line, f"{key} needs a whole number under min or max")
    return Span(part.get("min"), part.get("max"))


def _standing(reader: FaceReader, given: Any, line: int) -> Standing:
    part = reader.keys(given, line, (*STANDING, "plus", "setting"), "standing")
    what = next((key for key in part if key in STANDING), None)
    if what is None:
        raise reader.wrong(part.line, f"one of {', '.join(STANDING)} is needed")
    for key in part:
        if key != what and key not in STANDING[what]:
            raise reader.wrong(part.at(key), f"{what} takes no {key!r}")
    match what:
        case "roll":
            kinds, plus = reader.words_of(part, "roll", ROLLS), reader.whole(part, "plus", 0, -9, 9)
            return Standing(what, kinds, plus, reader.one_of(part, "setting", SWITCHES))
        case "points":
            return Standing(what, (), reader.whole(part, "points", 0, 1, 3))
        case "sealed":
            return Standing(what)
    allowed = {"class": CLASSES, "protects": ("destroy", "steal"), "unchallenged": ("hero", "item", "magic")}[what]
    return Standing(what, reader.words_of(part, what, allowed))


def _trigger(reader: FaceReader, given: Any, line: int, number: int) -> Trigger:
    part = reader.keys(given, line, ("event", "by", "on_roll", "kind", "may", "again", "does"), "whenever")
    event = reader.one_of(part, "event", tuple(EVENTS), "")
    if not event:
        raise reader.unknown(part.line, "unknown event", str(part.get("event")), EVENTS)
    by = reader.one_of(part, "by", ("me", "others", "anyone"), "me")
    on_roll = reader.one_of(part, "on_roll", ("anyones", "mine"), "anyones")
    for key in ("may", "again"):
        reader.truth(part, key)
    return Trigger(event, by, on_roll, f"whenever{number}")


def _replacement(reader: FaceReader, given: Any, line: int, number: int) -> Replacement:
    part = reader.keys(given, line, ("of", "may", "does"), "instead")
    kinds = reader.words_of(part, "of", ("destroy", "sacrifice"), "replacement of")
    return Replacement(kinds, reader.truth(part, "may"), f"instead{number}")

"""Card faces of Here to Slay: all that a card says apart from its texts."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from referee.cardscript.books.card_attributes import FaceParser
from referee.cardscript.language.located_yaml import LocatedMapping
from referee.engine.rulebook.book import BookError
from referee.engine.rulebook.editions import CardBookError
from referee.games.here_to_slay.settings import SETTINGS
from referee.games.here_to_slay.texts.amounts import CLASSES, Amount

KINDS = ("hero", "item", "cursed_item", "magic", "modifier", "challenge", "leader", "monster")
ROLLS = ("hero", "attack", "challenger", "challenged")
TRIGGER_EVENTS: dict[str, tuple[str, ...]] = {  # events that a trigger may wait for, and the names its text finds bound
    "magic_played": (),
    "modifier_played": ("roller",),
    "roll_succeeded": ("roller", "hero"),
    "roll_failed": ("roller", "hero"),
    "challenged": ("challenger",),
    "hero_destroyed": (),
    "drawn": ("lot",),
    "turn_starts": (),
    "hero_entered": ("hero",),
    "hero_lost": ("hero", "loser", "cause"),
    "monster_slain": ("monster",),
    "rolled": ("roller",),
}
WAYS_TO_LOSE = ("destroyed", "sacrificed", "stolen")  # what `hero_lost` may be limited to
TURNS = ("any", "own", "others")  # in whose turn it must happen: that of the player whom it happens to
BASE_KEYS = ("id", "kind", "name", "text", "clauses", "sourced", "copies", "class", "min_players", "note")
KEYS_BY_KIND: dict[str, tuple[str, ...]] = {
    "hero": ("roll", "does"),
    "item": ("standing", "whenever", "instead"),
    "cursed_item": ("standing", "whenever", "instead"),
    "magic": ("does",),
    "modifier": ("options",),
    "challenge": (),
    "leader": ("standing", "whenever", "action"),
    "monster": ("requires", "slay", "fight_back", "penalty", "reward", "standing", "whenever", "instead"),
}
REQUIRED_KEYS: dict[str, tuple[str, ...]] = {  # the keys that a card of a kind must have
    "hero": ("class", "roll", "does"),
    "item": (),
    "cursed_item": (),
    "magic": ("does",),
    "modifier": ("options",),
    "challenge": (),
    "leader": ("class",),
    "monster": ("requires", "slay", "fight_back", "penalty"),
}
SINGLE_COPY_KINDS = ("hero", "leader", "monster")  # these are named on the table, so there is one copy of each
MAX_PARTS = {"standing": 6, "whenever": 2, "instead": 1}  # the largest number of parts under a key
SWITCH_SETTINGS = tuple(name for name, schema in SETTINGS["properties"].items() if schema.get("type") == "boolean")
STATIC_ABILITY_KEYS: dict[str, tuple[str, ...]] = {
    "roll": ("plus", "setting"),
    "class": (),
    "sealed": (),
    "protects": (),
    "unchallenged": (),
    "points": (),
    "cost": ("plus",),
}
PAID_ACTIONS = ("draw", "play", "roll_for", "attack", "redraw", "leader")  # whose cost a card may change


@dataclass(frozen=True)
class Span:
    """The totals from `least` to `most`. None means no limit on that side."""

    least: int | None = None
    most: int | None = None

    def contains_total(self, total: int) -> bool:
        """Return whether a total lies within the span.

        HTS-ROLL-6: The roll succeeds if the total is no lower than the requirement.
        HTS-MON-7: A total in the slaying range slays the monster. In the range where it fights back, the attacker pays
            the penalty.
        """
        return (self.least is None or total >= self.least) and (self.most is None or total <= self.most)


@dataclass(frozen=True)
class StaticAbility:
    """What a card in play gives all the time.

    `setting` names the switch it depends on.
    HTS-TERM-7: A standing value is a bonus or penalty on certain rolls that comes from a lasting effect or from a card
        on the table. Nobody has to do anything for it.
    """

    what: str
    values: tuple[str, ...] = ()
    plus: int = 0
    setting: str = ""
    amount: Amount | None = None  # counted instead of `plus`


@dataclass(frozen=True)
class Trigger:
    """What sets off a text of a card in play.

    `event` is what happens, `by` whose event it is, `on_roll` whose roll it must concern. `turn` is in whose turn it
    must happen, `how` the ways in which a hero was lost; none means any. `text` names the program.
    """

    event: str
    by: str
    on_roll: str
    text: str
    turn: str = "any"
    how: tuple[str, ...] = ()


@dataclass(frozen=True)
class Replacement:
    """What a card in play does instead of something that is about to happen.

    HTS-REPL-1: What is replaced did not happen. Even so, the instruction counts as followed and the cost as paid.
    """

    of: tuple[str, ...]
    may: bool
    text: str


@dataclass(frozen=True)
class Face:
    """All that a card says apart from its texts.

    Triggers name their programs, for instance `whenever0`.
    """

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
    standing: tuple[StaticAbility, ...] = ()
    triggers: tuple[Trigger, ...] = ()
    replacements: tuple[Replacement, ...] = ()
    action_cost: int = 0
    clauses: tuple[str, ...] = ()

    def find_abilities(self, what: str) -> tuple[StaticAbility, ...]:
        """Return the static abilities of one sort."""
        return tuple(standing for standing in self.standing if standing.what == what)


def parse_face(file: str, entry: LocatedMapping) -> Face:
    """Return the face that an entry of a card file describes.

    The clauses that a card rests on are required of the game's own cards only (`check_own_card`). Raises CardBookError
    with all errors, each with file, line and suggestion.
    """
    reader = FaceParser(file)
    kind = entry.get("kind")
    if kind not in KINDS:
        raise CardBookError([reader.unknown_kind_error(entry, KINDS)])
    allowed = (*BASE_KEYS, *KEYS_BY_KIND[kind])
    for key in entry:
        if key not in allowed:
            reader.note_error(reader.unknown_word_error(entry.line_of(key), f"a {kind} takes no", key, allowed))
    for key in ("id", "name", "text", *REQUIRED_KEYS[kind]):
        if entry.get(key) in (None, "", {}):
            reader.note_error(reader.error_at(entry.line, f"{key} is missing"))
    face = Face(str(entry.get("id")), kind)
    for read in (_parse_numbers, _parse_classes, _parse_spans, _parse_abilities):
        with reader.collector.collect_error():
            face = read(reader, entry, face)
    reader.collector.raise_collected()
    return face


def as_list(part: Any) -> Any:
    """Return a single mapping as a list of one."""
    return [part] if isinstance(part, dict) else part


def _parse_numbers(reader: FaceParser, entry: LocatedMapping, face: Face) -> Face:
    most = 1 if face.kind in SINGLE_COPY_KINDS else 20
    copies = reader.parse_whole_number(entry, "copies", 1, 1, most)
    options = entry.get("options", [])
    if not isinstance(options, list) or any(type(value) is not int or not -9 <= value <= 9 for value in options):
        raise reader.error_at(entry.line_of("options"), "options must be a list of whole numbers from -9 to 9")
    clauses = entry.get("clauses", [])
    if not isinstance(clauses, list) or not all(isinstance(clause, str) for clause in clauses):
        raise reader.error_at(entry.line_of("clauses"), "clauses must be a list of clauses")
    players = reader.parse_whole_number(entry, "min_players", 0, 0, 6)
    return replace(face, copies=copies, options=tuple(options), clauses=tuple(clauses), min_players=players)


def _parse_classes(reader: FaceParser, entry: LocatedMapping, face: Face) -> Face:
    requires = reader.parse_known_words(entry, "requires", ("hero", *CLASSES), "slot")
    return replace(face, class_=reader.parse_known_word(entry, "class", CLASSES), requires=requires)


def _parse_spans(reader: FaceParser, entry: LocatedMapping, face: Face) -> Face:
    roll, slay, fight_back = (_parse_span(reader, entry, key) for key in ("roll", "slay", "fight_back"))
    return replace(face, roll=roll, slay=slay, fight_back=fight_back)


def _parse_abilities(reader: FaceParser, entry: LocatedMapping, face: Face) -> Face:
    standing = [
        _parse_static_ability(reader, part, entry.line_of("standing"))
        for part in _parse_parts(reader, entry, "standing")
    ]
    whenever = _parse_parts(reader, entry, "whenever")
    instead = _parse_parts(reader, entry, "instead")
    action = entry.get("action")
    cost = 0
    if "action" in entry:
        part = reader.require_mapping(action, entry.line_of("action"), ("cost", "once", "does"), "action")
        cost = reader.parse_whole_number(part, "cost", 0, 1, 3)
        reader.parse_known_word(part, "once", ("turn",), "turn")
    return replace(
        face,
        standing=tuple(standing),
        triggers=tuple(_parse_trigger(reader, part, entry.line_of("whenever"), n) for n, part in enumerate(whenever)),
        replacements=tuple(
            _parse_replacement(reader, part, entry.line_of("instead"), n, face.kind) for n, part in enumerate(instead)
        ),
        action_cost=cost,
    )


def _parse_parts(reader: FaceParser, entry: LocatedMapping, key: str) -> list[Any]:
    parts = as_list(entry.get(key, []))
    if not isinstance(parts, list):
        raise reader.error_at(entry.line_of(key), f"{key} must be a list")
    if len(parts) > MAX_PARTS[key]:
        raise reader.error_at(entry.line_of(key), f"{key} can have at most {MAX_PARTS[key]} parts")
    return parts


def _parse_span(reader: FaceParser, entry: LocatedMapping, key: str) -> Span:
    if key not in entry:
        return Span()
    part = reader.require_mapping(entry[key], entry.line_of(key), ("min", "max"), key)
    if not part or not all(type(value) is int for value in part.values()):
        raise reader.error_at(part.line, f"{key} needs a whole number under min or max")
    return Span(part.get("min"), part.get("max"))


def _parse_static_ability(reader: FaceParser, given: Any, line: int) -> StaticAbility:
    part = reader.require_mapping(given, line, (*STATIC_ABILITY_KEYS, "plus", "setting"), "standing")
    what = next((key for key in part if key in STATIC_ABILITY_KEYS), None)
    if what is None:
        raise reader.error_at(part.line, f"one of {', '.join(STATIC_ABILITY_KEYS)} is needed")
    for key in part:
        if key != what and key not in STATIC_ABILITY_KEYS[what]:
            raise reader.error_at(part.line_of(key), f"{what} takes no {key!r}")
    match what:
        case "roll":
            kinds, setting = (
                reader.parse_known_words(part, "roll", ROLLS),
                reader.parse_known_word(part, "setting", SWITCH_SETTINGS),
            )
            if isinstance(part.get("plus"), dict):
                return StaticAbility(what, kinds, 0, setting, _parse_standing_amount(reader, part))
            return StaticAbility(what, kinds, reader.parse_whole_number(part, "plus", 0, -9, 9), setting)
        case "cost":
            actions = reader.parse_known_words(part, "cost", PAID_ACTIONS)
            return StaticAbility(what, actions, reader.parse_whole_number(part, "plus", 0, -3, 3))
        case "points":
            return StaticAbility(what, (), reader.parse_whole_number(part, "points", 0, 1, 3))
        case "sealed":
            return StaticAbility(what)
    allowed = {"class": CLASSES, "protects": ("destroy", "steal"), "unchallenged": ("hero", "item", "magic")}[what]
    return StaticAbility(what, reader.parse_known_words(part, what, allowed))


def _parse_standing_amount(reader: FaceParser, part: LocatedMapping) -> Amount:
    line = part.line_of("plus")
    try:
        amount = Amount.from_card(reader.file, part["plus"], line)
    except BookError as error:
        raise CardBookError([str(error)]) from error
    if amount.of != "me" or amount.measure == "number_of":
        raise reader.error_at(line, "a standing value counts what is 'me'")
    return amount


def _parse_trigger(reader: FaceParser, given: Any, line: int, number: int) -> Trigger:
    part = reader.require_mapping(
        given, line, ("event", "by", "on_roll", "turn", "how", "kind", "may", "again", "does"), "whenever"
    )
    event = reader.parse_known_word(part, "event", tuple(TRIGGER_EVENTS), "")
    if not event:
        raise reader.unknown_word_error(part.line, "unknown event", str(part.get("event")), TRIGGER_EVENTS)
    by = reader.parse_known_word(part, "by", ("me", "others", "anyone"), "me")
    on_roll = reader.parse_known_word(part, "on_roll", ("anyones", "mine"), "anyones")
    turn = reader.parse_known_word(part, "turn", TURNS, "any")
    how = reader.parse_known_words(part, "how", WAYS_TO_LOSE)
    if how and event != "hero_lost":
        raise reader.error_at(part.line_of("how"), f"{event} takes no 'how'; hero_lost does")
    for key in ("may", "again"):
        reader.parse_boolean(part, key)
    return Trigger(event, by, on_roll, f"whenever{number}", turn, how)


def _parse_replacement(reader: FaceParser, given: Any, line: int, number: int, kind: str) -> Replacement:
    part = reader.require_mapping(given, line, ("of", "may", "does"), "instead")
    allowed = ("destroy", "sacrifice", "steal") if kind in ("item", "cursed_item") else ("destroy", "sacrifice")
    kinds = reader.parse_known_words(part, "of", allowed, "replacement of")
    return Replacement(kinds, reader.parse_boolean(part, "may"), f"instead{number}")

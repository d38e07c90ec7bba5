"""The box of a game: what the desk and the API need to know of it, and nothing of its rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar

from referee.engine.breakdown import Term, count_event_fields
from referee.engine.card_usage import CardUse, collect_card_uses
from referee.engine.cardtracking.ranges import OutOfRange
from referee.engine.codec import OMIT_IF_EMPTY
from referee.engine.events import Event, Move
from referee.engine.rulebook.book import LANGUAGES, Rulebook, SpokenText, Text
from referee.engine.rulebook.editions import Editions
from referee.engine.rulebook.rulesets import Rulesets
from referee.engine.rulings import IllegalMove, MalformedInput
from referee.engine.steps import Frame, StackCleared, State, StepPopped, StepPushed, StepReplaced, TriggerQueued
from referee.engine.zones import Cards, is_open_to

BOOKKEEPING_TYPES = (StepPushed, StepReplaced, StepPopped, StackCleared, TriggerQueued, Frame)


@dataclass(frozen=True)
class Setup:
    """How one match is set up. `chance` maps each device of the game to `server` or `table`.

    `named` are the seats whose cards are named to the referee although real cards are dealt (bots at a table).
    `edition`: the cards that are played with; empty: the game's own. `ruleset`: the readings that hold unless
    `readings` chooses others, by the clause; empty: the newest.
    """

    variant: str
    seats: int
    settings: dict[str, Any] = field(default_factory=dict)
    chance: dict[str, str] = field(default_factory=dict)
    named: tuple[int, ...] = ()
    edition: str = ""
    ruleset: str = field(default="", metadata=OMIT_IF_EMPTY)
    readings: dict[str, int] = field(default_factory=dict, metadata=OMIT_IF_EMPTY)

    def is_at_table(self, device: str) -> bool:
        """Whether this device is real: players report what it shows."""
        return self.chance.get(device, "server") == "table"


@dataclass(frozen=True)
class Outcome:
    """How a match ended. `winners` may be several or none; `placement` lists seats best first, equals together."""

    winners: tuple[int, ...]
    reason: str
    clauses: tuple[str, ...]
    placement: tuple[tuple[int, ...], ...]


class ContradictoryPosition(MalformedInput):
    """A position has the right form and cannot be: `errors` are `{pointer, detail, clause}`."""


class Game(Editions, Rulesets):
    """One game, whole. A game's folder has one object, GAME, of a class derived from this one."""

    name: ClassVar[str]
    prefix: ClassVar[str]
    title: ClassVar[Text]
    variants: ClassVar[tuple[str, ...]] = ("standard",)
    min_seats: ClassVar[int]
    max_seats: ClassVar[int]
    devices: ClassVar[tuple[str, ...]] = ()
    open_devices: ClassVar[tuple[str, ...]] = ("dice",)  # those of which nothing is ever held hidden
    windows: ClassVar[tuple[str, ...]] = ()  # the kinds of question (`Step.window`) that can be let pass in advance
    cooperative_variants: ClassVar[tuple[str, ...]] = ()  # the variants in which all seats win or lose as one
    turn_start_events: ClassVar[
        tuple[type[Event], ...]
    ] = ()  # the facts by which a turn begins; where none is counted, a floor
    phase_start_events: ClassVar[tuple[type[Event], ...]] = ()  # the facts by which another part of a turn begins
    card_play_events: ClassVar[
        tuple[type[Event], ...]
    ] = ()  # the facts by which cards are played; () if each that shows them is
    copies_clause: ClassVar[str] = "KERNEL-CENSUS-1"  # the clause that says how many copies of each card there are
    last_word_clause: ClassVar[str] = (
        ""  # the clause by which a person has the last word in a dispute; empty: it has none
    )
    deck_variant: ClassVar[str] = ""  # the variant to which players bring decks that they have made; empty: none
    settings: ClassVar[dict[str, Any]] = {"type": "object", "additionalProperties": False, "properties": {}}
    move_types: ClassVar[tuple[type[Move], ...]] = ()
    rulebook: ClassVar[Rulebook]
    state_type: ClassVar[type[State]]

    def complete_setup(self, setup: Setup) -> Setup:
        """The setup with every default filled in. Raises MalformedInput where a setting is unknown or out of range."""
        errors = []
        if setup.variant not in self.variants:
            errors.append({"pointer": "/variant", "detail": f"one of {', '.join(self.variants)}"})
        if not self.min_seats <= setup.seats <= self.max_seats:
            errors.append({"pointer": "/seats", "detail": f"the game has {self._describe_seat_range()} seats"})
        if setup.edition and setup.edition not in self.list_editions():
            errors.append({"pointer": "/edition", "detail": "no such edition"})
        if setup.ruleset and setup.ruleset not in self.rulesets:
            errors.append({"pointer": "/ruleset", "detail": f"one of {', '.join(self.rulesets)}"})
        errors += self.find_interpretation_errors(setup.readings)
        known = self.settings.get("properties", {})
        for name in setup.settings.keys() - known.keys():
            errors.append({"pointer": f"/settings/{name}", "detail": "no such setting"})
        for device, source in setup.chance.items():
            if device not in self.devices or source not in ("server", "table"):
                errors.append({"pointer": f"/chance/{device}", "detail": "no such device, or not server or table"})
        usual = self.settings_of_ruleset(setup.ruleset)
        filled = {name: setup.settings.get(name, usual.get(name, each.get("default"))) for name, each in known.items()}
        for name, value in filled.items():
            if name in setup.settings and not matches_schema(known[name], value):
                errors.append(
                    {"pointer": f"/settings/{name}", "detail": f"expected {describe_expected_value(known[name])}"}
                )
        if errors:
            raise MalformedInput(errors)
        chance = {device: setup.chance.get(device, "server") for device in self.devices}
        edition, ruleset = setup.edition or self.edition, setup.ruleset or self.newest_ruleset
        readings = dict(sorted(setup.readings.items()))
        return Setup(setup.variant, setup.seats, filled, chance, setup.named, edition, ruleset, readings)

    def _describe_seat_range(self) -> str:
        return str(self.min_seats) if self.min_seats == self.max_seats else f"{self.min_seats} to {self.max_seats}"

    def has_hidden_real_cards(self, setup: Setup) -> bool:
        """Whether real cards are held hidden at this table, so that the referee may not know what a seat sees."""
        return any(setup.is_at_table(device) for device in self.devices if device not in self.open_devices)

    def build_table(self, setup: Setup) -> State:
        """The table before anything has happened; the first steps lie on its agenda. A match begins with
        `build_initial_state`."""
        raise TypeError(f"{self.name} says not how it opens")

    def build_initial_state(self, setup: Setup) -> State:
        """The table with which a match of this setup begins: as it opens, and as the readings are that hold."""
        begun: State = self.apply_interpretations(
            self.build_table(setup), self.find_departures(setup.ruleset, setup.readings)
        )
        return begun

    def give_turn(self, state: Any, seat: int) -> State:
        """The table as the turn of a seat is about to begin, whatever was pending: a correction by hand.

        What lies in the middle of the table stays there. Raises ValueError where the seat cannot be on turn.
        """
        raise TypeError(f"{self.name} says not how a turn begins")

    def reconcile_state(self, state: Any) -> State:
        """The table after a correction by hand: what only repeats where cards lie says what is so now."""
        kept: State = state
        return kept

    def find_deck_refusals(
        self, edition: str | None, cards: tuple[str, ...]
    ) -> Iterable[tuple[int | None, IllegalMove]]:
        """All that the rules have against a deck of these cards, the gravest first: the place in the list that is wrong
        (None: the list as a whole), and why. None of it: the deck may be brought. `edition`: one that there is; None
        where nobody knows the box, so that only the list itself is looked at."""
        raise TypeError(f"{self.name} is not played with decks that players bring")

    def find_outcome(self, state: Any) -> Outcome | None:
        """How the match has ended; None while it goes on."""
        raise TypeError(f"{self.name} says not how it ends")

    def turn_number(self, state: Any) -> int:
        """The number of the turn that is being played, from 1 on; 0 where the game counts none."""
        return 0

    def count_seats(self, state: Any) -> int:
        """How many seats a table has; a game that can be played by several numbers has to say."""
        if self.min_seats != self.max_seats:
            raise TypeError(f"{self.name} says not how many sit there")
        return self.max_seats

    def seat_on_turn(self, state: Any) -> int | None:
        """The seat that is on turn as everybody sees it; None between turns. By default the one that is awaited alone.

        For statistics; no rule looks at it.
        """
        waiting = [int(seat) for seat in state.agenda[-1].awaited_seats(state) if seat >= 0] if state.agenda else []
        return waiting[0] if len(waiting) == 1 else None

    def collect_card_uses(self, fact: Event) -> Iterable[CardUse]:
        """What a fact, seen whole, tells of cards drawn and played. By default what the ways of moved cards tell.

        For statistics, which count matches that have ended; no rule looks at it.
        """
        is_play = not self.card_play_events or isinstance(fact, self.card_play_events)
        return (use for use in collect_card_uses(fact) if use.how != "played" or is_play)

    def decode_position(self, data: dict[str, Any]) -> State:
        """The state that a written position describes; what it leaves out is unknown. Raises MalformedInput,
        ContradictoryPosition."""
        raise TypeError(f"{self.name} has no positions")

    def encode_position(self, state: Any) -> dict[str, Any]:
        """The position that describes a state; `decode_position` reads it back to an equal one."""
        raise TypeError(f"{self.name} has no positions")

    def build_position_examples(self, variant: str) -> list[dict[str, Any]]:
        """A position for every question that the game asks."""
        raise TypeError(f"{self.name} has no positions")

    def check_census(self, data: dict[str, Any]) -> dict[str, Any]:
        """Whether the cards of a position can be: `{possible, contradictions, recounts}`. Raises MalformedInput."""
        raise TypeError(f"{self.name} has no census")

    def cards_by_zone(self, state: Any) -> Mapping[str, Cards]:
        """Every card of a table by the place where it lies, as the table knows it: names, or backs."""
        zones: Mapping[str, Cards] = getattr(state, "zones", {})
        return zones

    def zone_label(self, place: str) -> Text:
        """What players call a place where cards lie."""
        return {lang: str(self.rulebook.render_parameter(place, lang)) for lang in LANGUAGES}

    def initial_cards(self, setup: Setup) -> Mapping[str, Cards]:
        """The cards as the box lays them out before anything is shuffled, all by name: that much everybody knows."""
        sorted_box = dict.fromkeys(self.devices, "server")
        return self.cards_by_zone(self.build_table(replace(setup, chance=sorted_box, named=())))

    def revealed_cards(self, fact: Event) -> Iterable[tuple[str, Cards]]:
        """The cards that a fact shows to lie at a place without moving them, as its reader may see it."""
        return ()

    def exchanged_zones(self, fact: Event) -> tuple[str, str] | None:
        """The two places that change all their cards by a fact; None where it moves cards in any other way."""
        return None

    def find_out_of_range(self, state: Any) -> Iterable[OutOfRange]:
        """The numbers on a table, seen whole or as some eyes see it, that the rules put out of the question."""
        return ()

    def determinize(self, state: Any, seat: int, shuffle: Callable[[list[Any]], list[Any]]) -> State:
        """Another world that this seat cannot tell from this one: what is hidden from it, permuted back for back."""
        raise TypeError(f"{self.name} hides nothing")

    def visible_cards(self, state: Any, seat: int) -> Iterable[str]:
        """Every card that lies open to a seat, once for each: a name, or the back of a real card that the seat sees
        and the referee does not know. By default those in zones; a game where cards lie elsewhere as well has to say.
        """
        zones = getattr(state, "zones", {})
        return (card for place, cards in zones.items() if is_open_to(place, seat) for card in cards)

    def evaluate_state(self, view: Any, seat: int) -> int:
        """How well a seat stands at a table that goes on, by what its view shows; only differences count.

        Pure, and without chance. For bots; no rule looks at it. Raises Undetermined where a position says too little.
        """
        return 0

    def expected_gain(self, view: Any, seat: int, move: Move) -> int:
        """What a legal move is worth to a seat beyond the facts foreseen from its view: what dice, hidden cards and
        the answers of others may bring. Measured as `evaluate_state` is. Raises Undetermined where a position says too
        little.
        """
        return 0

    def describe_event(self, thing: Event | Move) -> Text | None:
        """A readable line about a fact or a move as its reader may see it; None for bookkeeping."""
        return (
            None
            if isinstance(thing, BOOKKEEPING_TYPES)
            else self.rulebook.render_texts(text_key(thing), **self.text_parameters(thing))
        )

    def text_parameters(self, thing: Event | Move) -> dict[str, Any]:
        """What fills the placeholders of the texts about a fact or a move."""
        said: dict[str, Any] = {part.name: getattr(thing, part.name) for part in fields(thing)}  # type: ignore[arg-type]
        if "put" in said:
            said["count"] = len(said["put"])
        return said

    def text_variant(self, thing: Event | Move) -> str:
        """Which of several texts about a fact or a move fits; empty for the plain one."""
        return ""

    def render_spoken_text(self, thing: Event | Move, **more: Any) -> SpokenText | None:
        """What is said of a fact or a move in a sentence to read aloud: as `aloud.yaml` has it, else as it is told.

        None for bookkeeping. `more` are parameters beside those of the thing itself.
        """
        found = self.rulebook.find_spoken_text(*spoken_text_keys(thing, self.text_variant(thing)))
        if found is None:
            told = self.describe_event(thing)
            return None if told is None else SpokenText(told)
        return self.rulebook.fill_spoken_text(found, **{**self.text_parameters(thing), **more})

    def break_down_event(self, view: Any, fact: Event) -> tuple[Term, ...]:
        """The numbers of a fact, each with the card and the clause it comes from.

        `view` is the table as the reader saw it just before the fact, which is the fact as the reader may see it. A
        game that overrides this looks at nothing else.
        """
        return count_event_fields(fact)

    def compute_totals(self, view: Any) -> tuple[Term, ...]:
        """The sums that stand on the table now, as both sides of a fight: each made of its lines, with card and clause.

        `view` is the table as the reader sees it. A game that overrides this looks at nothing else, and leaves out what
        a position does not say.
        """
        return ()


def text_key(thing: Event | Move) -> str:
    """The key of the texts about a fact or a move."""
    return f"move.{thing.TAG}" if isinstance(thing, Move) else f"fact.{thing.TAG.rpartition('.')[2]}"


def spoken_text_keys(thing: Event | Move, case: str = "") -> tuple[str, ...]:
    """The keys in `aloud.yaml` of a fact or a move: that of its case first."""
    key = text_key(thing).removeprefix("fact.")
    return (f"{key}.{case}", key) if case else (key,)


def describe_expected_value(schema: dict[str, Any]) -> str:
    """What a setting's schema asks for, in words."""
    options = schema.get("oneOf", schema.get("anyOf"))
    if options:
        return " or ".join(map(describe_expected_value, options))
    if "const" in schema or "enum" in schema:
        return " or ".join(map(repr, schema.get("enum", [schema.get("const")])))
    if schema.get("type") == "integer":
        return f"a whole number from {schema.get('minimum', '…')} to {schema.get('maximum', '…')}"
    if schema.get("type") == "object":
        inner = (f"{name}: {describe_expected_value(part)}" for name, part in schema.get("properties", {}).items())
        return "an object {" + ", ".join(inner) + "}"
    return f"a value of type {schema.get('type', 'any')}"


def matches_schema(schema: dict[str, Any], value: Any) -> bool:
    """Whether a setting fits its schema: the part of JSON Schema that settings use."""
    if "oneOf" in schema or "anyOf" in schema:
        return any(matches_schema(option, value) for option in schema.get("oneOf", schema.get("anyOf", [])))
    if "const" in schema:
        return bool(type(value) is type(schema["const"]) and value == schema["const"])
    if "enum" in schema:
        return any(type(value) is type(option) and value == option for option in schema["enum"])
    kinds = {"integer": int, "string": str, "boolean": bool, "object": dict, "array": list, "null": type(None)}
    wanted = schema.get("type")
    names = [wanted] if isinstance(wanted, str) else list(wanted or kinds)
    if not any(type(value) is kinds[name] for name in names):
        return False
    if type(value) is int and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        return False
    if isinstance(value, dict):
        inner = schema.get("properties", {})
        if schema.get("additionalProperties") is False and value.keys() - inner.keys():
            return False
        if any(name not in value for name in schema.get("required", [])):
            return False
        return all(name not in inner or matches_schema(inner[name], part) for name, part in value.items())
    return True

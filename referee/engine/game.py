"""The base class of all games: what the rest of the program needs from a game.

It states no rule of any game.
"""

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
    """How one match is set up.

    `chance` maps each device of the game to `server` or `table`.
    `named`: the seats whose cards are named to the referee although real cards are dealt (bots at a table).
    `edition`: the set of cards that is played with. Empty means the game's own cards.
    `ruleset`: the interpretations that hold, except for clauses that `readings` maps to another one. Empty means the
    newest.
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
        """Return whether this device is real, so that players report what it shows."""
        return self.chance.get(device, "server") == "table"


@dataclass(frozen=True)
class Outcome:
    """How a match ended. There may be several winners or none.

    `placement` lists the seats best first. Seats that share a place stand together.
    """

    winners: tuple[int, ...]
    reason: str
    clauses: tuple[str, ...]
    placement: tuple[tuple[int, ...], ...]


class ContradictoryPosition(MalformedInput):
    """A position has the right form but cannot exist.

    `errors` are `{pointer, detail, clause}`.
    """


class Game(Editions, Rulesets):
    """The base class of a game.

    Each game folder has one object GAME of a derived class.
    """

    name: ClassVar[str]
    prefix: ClassVar[str]
    title: ClassVar[Text]
    variants: ClassVar[tuple[str, ...]] = ("standard",)
    min_seats: ClassVar[int]
    max_seats: ClassVar[int]
    devices: ClassVar[tuple[str, ...]] = ()
    open_devices: ClassVar[tuple[str, ...]] = ("dice",)  # devices whose results are never hidden
    windows: ClassVar[tuple[str, ...]] = ()  # the kinds of window (`Step.window_kind`) that a seat can pass in advance
    cooperative_variants: ClassVar[tuple[str, ...]] = ()  # the variants in which all seats win or lose together
    # The events that begin a turn, or a floor in a game that counts no turns.
    turn_start_events: ClassVar[tuple[type[Event], ...]] = ()
    phase_start_events: ClassVar[tuple[type[Event], ...]] = ()  # the events that begin another part of a turn
    # The events that play cards. Empty: every event that moves a card from a hand into the open plays it.
    card_play_events: ClassVar[tuple[type[Event], ...]] = ()
    copies_clause: ClassVar[str] = "KERNEL-CENSUS-1"  # the clause that says how many copies of each card there are
    last_word_clause: ClassVar[str] = ""  # the clause that gives a person the last word in disputes; empty: none does
    deck_variant: ClassVar[str] = ""  # the variant that is played with decks that players bring; empty: none
    settings: ClassVar[dict[str, Any]] = {"type": "object", "additionalProperties": False, "properties": {}}
    move_types: ClassVar[tuple[type[Move], ...]] = ()
    rulebook: ClassVar[Rulebook]
    state_type: ClassVar[type[State]]

    def complete_setup(self, setup: Setup) -> Setup:
        """Return the setup with every default filled in.

        Raises MalformedInput if a setting is unknown or out of range.
        """
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
        """Return whether real cards are held hidden at this table.

        If so, the referee may not know what a seat sees.
        """
        return any(setup.is_at_table(device) for device in self.devices if device not in self.open_devices)

    def build_table(self, setup: Setup) -> State:
        """Return the table before anything has happened, its first steps on the agenda.

        A match begins with `build_initial_state`.
        """
        raise TypeError(f"{self.name} does not define its opening table")

    def build_initial_state(self, setup: Setup) -> State:
        """Return the state with which a match of this setup begins.

        It is the opening table with the interpretations that hold in the match.
        """
        begun: State = self.apply_interpretations(
            self.build_table(setup), self.find_departures(setup.ruleset, setup.readings)
        )
        return begun

    def give_turn(self, state: Any, seat: int) -> State:
        """Return the table as the turn of a seat is about to begin: a manual correction.

        Everything pending is dropped. Cards in the middle of the table stay there. Raises ValueError if the seat
        cannot take a turn.
        """
        raise TypeError(f"{self.name} does not define how a turn begins")

    def reconcile_state(self, state: Any) -> State:
        """Return the table after a manual correction with its derived data updated.

        Derived data repeats where cards lie, for instance a list of the cards in play.
        """
        kept: State = state
        return kept

    def find_deck_refusals(
        self, edition: str | None, cards: tuple[str, ...]
    ) -> Iterable[tuple[int | None, IllegalMove]]:
        """Yield the reasons why the rules refuse a deck of these cards, the gravest first.

        Each item is the index of the wrong card in the list (None: the list as a whole) and the refusal. A deck
        without refusals may be brought. `edition` is an existing edition. None means that the box is unknown, so only
        the list itself is checked.
        """
        raise TypeError(f"{self.name} is not played with decks that players bring")

    def find_outcome(self, state: Any) -> Outcome | None:
        """Return how the match has ended, or None while it goes on."""
        raise TypeError(f"{self.name} does not define how it ends")

    def turn_number(self, state: Any) -> int:
        """Return the number of the current turn, from 1 on, or 0 if the game counts none."""
        return 0

    def count_seats(self, state: Any) -> int:
        """Return the number of seats at a table.

        A game that allows several numbers has to override this.
        """
        if self.min_seats != self.max_seats:
            raise TypeError(f"{self.name} does not define its number of seats")
        return self.max_seats

    def seat_on_turn(self, state: Any) -> int | None:
        """Return the seat that is publicly on turn, or None between turns.

        By default it is the seat that alone is awaited. For statistics only: no rule looks at it.
        """
        waiting = [int(seat) for seat in state.agenda[-1].awaited_seats(state) if seat >= 0] if state.agenda else []
        return waiting[0] if len(waiting) == 1 else None

    def collect_card_uses(self, event: Event) -> Iterable[CardUse]:
        """Yield the cards that an unmasked event shows to be drawn or played.

        By default this follows from where the cards move. It serves statistics of ended matches only: no rule looks at
        it.
        """
        is_play = not self.card_play_events or isinstance(event, self.card_play_events)
        return (use for use in collect_card_uses(event) if use.how != "played" or is_play)

    def decode_position(self, data: dict[str, Any]) -> State:
        """Return the state that a written position describes.

        What the position leaves out is unknown. Raises MalformedInput or ContradictoryPosition.
        """
        raise TypeError(f"{self.name} has no positions")

    def encode_position(self, state: Any) -> dict[str, Any]:
        """Return the position that describes a state.

        `decode_position` turns it into an equal state.
        """
        raise TypeError(f"{self.name} has no positions")

    def build_position_examples(self, variant: str) -> list[dict[str, Any]]:
        """Return an example position for every question that the game asks."""
        raise TypeError(f"{self.name} has no positions")

    def check_census(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return whether the cards of a position can exist together.

        The result is `{possible, contradictions, recounts}`. Raises MalformedInput.
        """
        raise TypeError(f"{self.name} has no census")

    def cards_by_zone(self, state: Any) -> Mapping[str, Cards]:
        """Return every card on a table by the place where it lies.

        Hidden cards appear as their backs.
        """
        zones: Mapping[str, Cards] = getattr(state, "zones", {})
        return zones

    def zone_label(self, place: str) -> Text:
        """Return what players call a place where cards lie, in each language."""
        return {lang: str(self.rulebook.render_parameter(place, lang)) for lang in LANGUAGES}

    def initial_cards(self, setup: Setup) -> Mapping[str, Cards]:
        """Return the cards as the box lays them out before any shuffle, all by name.

        This much is public knowledge.
        """
        sorted_box = dict.fromkeys(self.devices, "server")
        return self.cards_by_zone(self.build_table(replace(setup, chance=sorted_box, named=())))

    def revealed_cards(self, event: Event) -> Iterable[tuple[str, Cards]]:
        """Yield the cards that an event shows to lie at a place without moving them.

        The event is as its viewer may know it.
        """
        return ()

    def exchanged_zones(self, event: Event) -> tuple[str, str] | None:
        """Return the two places whose cards an event swaps completely, or None."""
        return None

    def find_out_of_range(self, state: Any) -> Iterable[OutOfRange]:
        """Yield the numbers on a table, whole or in a view, that the rules exclude."""
        return ()

    def determinize(self, state: Any, seat: int, shuffle: Callable[[list[Any]], list[Any]]) -> State:
        """Return another state that this seat cannot tell from this one.

        The cards hidden from the seat are permuted among equal backs.
        """
        raise TypeError(f"{self.name} hides nothing")

    def visible_cards(self, state: Any, seat: int) -> Iterable[str]:
        """Yield every card that lies open to a seat, once each.

        A card appears as its name, or as its back if it is a real card that the seat sees and the referee does not
        know. By default these are the cards in zones. A game that also keeps cards elsewhere has to override this.
        """
        zones = getattr(state, "zones", {})
        return (card for place, cards in zones.items() if is_open_to(place, seat) for card in cards)

    def evaluate_state(self, view: Any, seat: int) -> int:
        """Return how good an unfinished position is for a seat, judged by its view.

        Only differences between values count. The function is pure and uses no chance. It serves bots: no rule looks
        at it. Raises Undetermined if a position says too little.
        """
        return 0

    def expected_gain(self, view: Any, seat: int, move: Move) -> int:
        """Return what a legal move is worth to a seat beyond its foreseeable events.

        This is what dice, hidden cards and the answers of others may bring, in the unit of `evaluate_state`. Raises
        Undetermined if a position says too little.
        """
        return 0

    def describe_event(self, thing: Event | Move) -> Text | None:
        """Return a readable line about an event or a move, or None for bookkeeping.

        The event or move is as its viewer may know it.
        """
        return (
            None
            if isinstance(thing, BOOKKEEPING_TYPES)
            else self.rulebook.render_texts(text_key(thing), **self.text_parameters(thing))
        )

    def text_parameters(self, thing: Event | Move) -> dict[str, Any]:
        """Return the values for the placeholders of the texts about an event or a move."""
        parameters: dict[str, Any] = {part.name: getattr(thing, part.name) for part in fields(thing)}  # type: ignore[arg-type]
        if "put" in parameters:
            parameters["count"] = len(parameters["put"])
        return parameters

    def text_variant(self, thing: Event | Move) -> str:
        """Return which of several texts about an event or a move fits.

        Empty means the plain one.
        """
        return ""

    def render_spoken_text(self, thing: Event | Move, **more: Any) -> SpokenText | None:
        """Return the sentence to read aloud about an event or a move.

        It comes from `narration.yaml`, or else from `describe_event`. None for bookkeeping. `more` holds parameters
        besides those of the event or move itself.
        """
        found = self.rulebook.find_spoken_text(*spoken_text_keys(thing, self.text_variant(thing)))
        if found is None:
            line = self.describe_event(thing)
            return None if line is None else SpokenText(line)
        return self.rulebook.fill_spoken_text(found, **{**self.text_parameters(thing), **more})

    def break_down_event(self, view: Any, event: Event) -> tuple[Term, ...]:
        """Return the numbers of an event, each with the card and clause it comes from.

        `view` is the table as the viewer saw it just before the event. The event is as the same viewer may know it. An
        override must look at nothing else.
        """
        return count_event_fields(event)

    def compute_totals(self, view: Any) -> tuple[Term, ...]:
        """Return the sums that stand on the table now, such as both sides of a fight.

        Each consists of its parts, with card and clause. `view` is the table as the viewer sees it. An override must
        look at nothing else, and leaves out what a position does not say.
        """
        return ()


def text_key(thing: Event | Move) -> str:
    """Return the key of the texts about an event or a move."""
    return f"move.{thing.TAG}" if isinstance(thing, Move) else f"fact.{thing.TAG.rpartition('.')[2]}"


def spoken_text_keys(thing: Event | Move, case: str = "") -> tuple[str, ...]:
    """Return the keys in `narration.yaml` for an event or a move, the case first."""
    key = text_key(thing).removeprefix("fact.")
    return (f"{key}.{case}", key) if case else (key,)


def describe_expected_value(schema: dict[str, Any]) -> str:
    """Return in words what a setting's schema asks for."""
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
    """Return whether a setting fits its schema.

    Only the part of JSON Schema that settings use is supported.
    """
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

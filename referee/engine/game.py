"""The base class of all games: what the program needs from the rules of a game.

It states no rule of any game. What a game has besides rules are its parts (`referee.engine.parts`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from referee.engine.chance import RandomBelow
from referee.engine.codec import OMIT_IF_EMPTY, escape_name
from referee.engine.events import Move
from referee.engine.parts.boards import Boards
from referee.engine.parts.breakdowns import Breakdowns, FieldBreakdowns
from referee.engine.parts.card_tracking import CardTracking
from referee.engine.parts.evaluation import EqualEvaluation, Evaluation
from referee.engine.parts.narration import Narration
from referee.engine.parts.position_format import PositionFormat
from referee.engine.positions.form import find_schema_errors
from referee.engine.positions.table import Positions
from referee.engine.rulebook.book import Rulebook, Text
from referee.engine.rulebook.editions import Editions
from referee.engine.rulebook.rulesets import Rulesets
from referee.engine.rulings import IllegalMove, MalformedInput
from referee.engine.seats import Seat
from referee.engine.steps import State
from referee.engine.zones import Cards

# In the schema of a setting: its default is not written down, so matches that were opened before it existed stay as
# they were opened.
LEFT_OUT_BY_DEFAULT = "x-left-out-by-default"

Rival = Callable[[Any, Seat], Move | None]  # rival(state, seat): the move that another seat makes, by its view


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


BY_FIELDS, ALL_EQUAL = FieldBreakdowns(), EqualEvaluation()


@dataclass(frozen=True)
class GameParts:
    """The parts of a game besides its rules.

    `positions`: its tables of written positions. None: it has none.
    `breakdowns`, `evaluation`: modules or objects. The others are classes, made for the game. What a game leaves out
    has defaults, which the classes describe.
    """

    positions: Positions[Any] | None = None
    tracking: type[CardTracking] = CardTracking
    narration: type[Narration] = Narration
    breakdowns: Breakdowns = BY_FIELDS
    evaluation: Evaluation = ALL_EQUAL
    boards: type[Boards] = Boards


class Game(Editions, Rulesets):
    """The rules of a game, and its other parts.

    Each game folder has one object GAME of a derived class. A game has to define what has no default here, and
    `build_table`, `find_outcome`, `give_turn`, and `count_seats` if their number varies.
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
    last_word_clause: ClassVar[str] = ""  # the clause that gives a person the last word in disputes; empty: none does
    deck_variant: ClassVar[str] = ""  # the variant that is played with decks that players bring; empty: none
    settings: ClassVar[dict[str, Any]] = {"type": "object", "additionalProperties": False, "properties": {}}
    move_types: ClassVar[tuple[type[Move], ...]] = ()
    rulebook: ClassVar[Rulebook]
    state_type: ClassVar[type[State]]
    parts: ClassVar[GameParts] = GameParts()

    def __init__(self) -> None:
        super().__init__()
        self.positions = PositionFormat(self, self.parts.positions)
        self.tracking = self.parts.tracking(self)
        self.narration = self.parts.narration(self)
        self.boards = self.parts.boards(self)
        self.breakdowns = self.parts.breakdowns
        self.evaluation = self.parts.evaluation

    def complete_setup(self, setup: Setup) -> Setup:
        """Return the setup with the defaults filled in.

        Raises MalformedInput if a setting is unknown or out of range, or a seat is named that there is not.
        """
        errors = []
        if setup.variant not in self.variants:
            errors.append({"pointer": "/variant", "detail": f"one of {', '.join(self.variants)}"})
        if not self.min_seats <= setup.seats <= self.max_seats:
            errors.append({"pointer": "/seats", "detail": f"the game has {self._describe_seat_range()} seats"})
        if any(seat not in range(setup.seats) for seat in setup.named):
            errors.append({"pointer": "/named", "detail": f"seats are numbered from 0 to {setup.seats - 1}"})
        if setup.edition and setup.edition not in self.list_editions():
            errors.append({"pointer": "/edition", "detail": "no such edition"})
        if setup.ruleset and setup.ruleset not in self.rulesets:
            errors.append({"pointer": "/ruleset", "detail": f"one of {', '.join(self.rulesets)}"})
        errors += self.find_interpretation_errors(setup.readings)
        known = self.settings.get("properties", {})
        for name in setup.settings.keys() - known.keys():
            errors.append({"pointer": f"/settings/{escape_name(name)}", "detail": "no such setting"})
        for device, source in setup.chance.items():
            if device not in self.devices or source not in ("server", "table"):
                pointer = f"/chance/{escape_name(device)}"
                errors.append({"pointer": pointer, "detail": "no such device, or not server or table"})
        usual = self.settings_of_ruleset(setup.ruleset)
        filled = {name: setup.settings.get(name, usual.get(name, each.get("default"))) for name, each in known.items()}
        for name, value in filled.items():
            if name in setup.settings and any(find_schema_errors(known[name], value)):
                errors.append(
                    {"pointer": f"/settings/{name}", "detail": f"expected {describe_expected_value(known[name])}"}
                )
        if errors:
            raise MalformedInput(errors)
        chance = {device: setup.chance.get(device, "server") for device in self.devices}
        edition, ruleset = setup.edition or self.edition, setup.ruleset or self.newest_ruleset
        readings = dict(sorted(setup.readings.items()))
        settings = {
            name: value
            for name, value in filled.items()
            if value != known[name].get("default") or not known[name].get(LEFT_OUT_BY_DEFAULT)
        }
        return Setup(setup.variant, setup.seats, settings, chance, setup.named, edition, ruleset, readings)

    def _describe_seat_range(self) -> str:
        return str(self.min_seats) if self.min_seats == self.max_seats else f"{self.min_seats} to {self.max_seats}"

    def has_hidden_real_cards(self, setup: Setup) -> bool:
        """Return whether real cards are held hidden at this table.

        If so, the referee may not know what a seat sees.
        """
        return any(setup.is_at_table(device) for device in self.devices if device not in self.open_devices)

    def build_table(self, setup: Setup, /) -> State:
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

    def give_turn(self, state: Any, seat: int, /) -> State:
        """Return the table as the turn of a seat is about to begin: a manual correction.

        Everything pending is dropped. Cards in the middle of the table stay there. Raises ValueError if the seat
        cannot take a turn.
        """
        raise TypeError(f"{self.name} does not define how a turn begins")

    def reconcile_state(self, state: Any, /) -> State:
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

    def find_outcome(self, state: Any, /) -> Outcome | None:
        """Return how the match has ended, or None while it goes on."""
        raise TypeError(f"{self.name} does not define how it ends")

    def turn_number(self, state: Any, /) -> int:
        """Return the number of the current turn, from 1 on, or 0 if the game counts none."""
        return 0

    def find_brought_deck(self, state: Any, seat: int, /) -> tuple[str, ...] | None:
        """Return the cards of the deck that a player chose for this match.

        None if players choose none, or the referee does not know its cards.
        """
        return None

    def count_seats(self, state: Any, /) -> int:
        """Return the number of seats at a table.

        A game that allows several numbers has to override this.
        """
        if self.min_seats != self.max_seats:
            raise TypeError(f"{self.name} does not define its number of seats")
        return self.max_seats

    def weigh_moves(
        self, view: Any, seat: int, below: RandomBelow, effort: int, rival: Rival, /
    ) -> Sequence[tuple[Move, float]]:
        """Return moves, the one to make first, with the share of the match each promises.

        A game overrides it that can work this out from the view better than by playing on. Bots that search then take
        the first move. It rests on the view alone, and on `below` where a fixed choice could be foreseen. `effort`: how
        many playouts would be made instead. `rival` says how others are taken to play. Empty: the question is not of
        that kind. Raises Undetermined if a position says too little.
        """
        return ()

    def judge_position(self, view: Any, seat: int, /) -> int:
        """Return how good a position is for a seat where a search stops playing on.

        A game overrides it if what decides matches is not what a greedy bot should go by. Raises Undetermined if a
        position says too little.
        """
        return self.evaluation.evaluate_state(view, seat)

    def seat_on_turn(self, state: Any, /) -> int | None:
        """Return the seat that is publicly on turn, or None between turns.

        By default it is the seat that alone is awaited. Statistics and takebacks look at it, no rule of a game does.
        """
        waiting = [int(seat) for seat in state.agenda[-1].awaited_seats(state) if seat >= 0] if state.agenda else []
        return waiting[0] if len(waiting) == 1 else None

    def initial_cards(self, setup: Setup) -> Mapping[str, Cards]:
        """Return the cards as the box lays them out before any shuffle, all by name.

        This much is public knowledge.
        """
        sorted_box = dict.fromkeys(self.devices, "server")
        return self.tracking.cards_by_zone(self.build_table(replace(setup, chance=sorted_box, named=())))


def describe_expected_value(schema: dict[str, Any]) -> str:
    """Return in words what a setting's schema asks for."""
    if "anyOf" in schema:
        return " or ".join(map(describe_expected_value, schema["anyOf"]))
    if "const" in schema or "enum" in schema:
        return " or ".join(map(repr, schema.get("enum", [schema.get("const")])))
    if schema.get("type") == "integer":
        return f"a whole number from {schema.get('minimum', '…')} to {schema.get('maximum', '…')}"
    if schema.get("type") == "object":
        inner = (f"{name}: {describe_expected_value(part)}" for name, part in schema.get("properties", {}).items())
        return "an object {" + ", ".join(inner) + "}"
    return f"a value of type {schema.get('type', 'any')}"

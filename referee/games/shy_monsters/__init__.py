"""Shy Monsters: a dungeon master hides monsters, a hero looks for the way out. The box for the desk: `GAME`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from referee.engine.breakdown import Term
from referee.engine.card_usage import CardUse, design_name
from referee.engine.cardtracking.ranges import OutOfRange
from referee.engine.chance import PickResult, ShuffleResult, TurnUpResult
from referee.engine.events import Event, Move
from referee.engine.game import Game, Outcome, Setup, text_key
from referee.engine.rulebook.book import Text
from referee.engine.zones import Cards, is_back
from referee.games.shy_monsters import breakdowns, evaluation
from referee.games.shy_monsters.components import BOOK, CARDS
from referee.games.shy_monsters.events import (
    CardTurnedUp,
    FloorBegun,
    FloorBuilt,
    FloorDestroyed,
    GameSetUp,
    GameWon,
    HeroJumped,
    MonstersDrawn,
)
from referee.games.shy_monsters.moves import Build, Claim, Concede, Explore, Jump, Place, Reveal, RolesDrawn
from referee.games.shy_monsters.positions import decode
from referee.games.shy_monsters.positions.census import collect_cards_by_place, describe_place, find_out_of_range
from referee.games.shy_monsters.positions.encode import encode_position
from referee.games.shy_monsters.positions.examples import EXAMPLES
from referee.games.shy_monsters.positions.schema import SCHEMA
from referee.games.shy_monsters.rules.correcting import give_turn
from referee.games.shy_monsters.rules.course import DrawRoles, PlayMatch
from referee.games.shy_monsters.state import Dungeon
from referee.games.shy_monsters.views import determinize_dungeon

AGREED_ROLES_SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["dungeon_master"],
    "properties": {"dungeon_master": {"type": "integer", "enum": [0, 1]}},
}


class ShyMonsters(Game):
    """Two seats; the roles are agreed or drawn, and a match has one game or two with changed roles (SM-AMB-1)."""

    name = "shy_monsters"
    prefix = "sm"
    title: ClassVar[Text] = {"en": "Shy Monsters", "de": "Shy Monsters"}
    min_seats = 2
    max_seats = 2
    copies_clause = "SM-MAT-2"
    devices = ("cards",)
    settings: ClassVar[dict[str, Any]] = {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "roles": {
                "description": "Who is dungeon master: an agreed seat, or drawn by lot.",
                "default": "drawn",
                "oneOf": [{"const": "drawn"}, AGREED_ROLES_SCHEMA],
            },
            "games": {
                "description": "Games in the match; with two the roles change, and one win each is a draw.",
                "default": 1,
                "type": "integer",
                "enum": [1, 2],
            },
        },
    }
    turn_start_events = (GameSetUp, FloorBegun)
    move_types = (Build, Reveal, Explore, Jump, Concede, Claim, RolesDrawn, ShuffleResult, PickResult, TurnUpResult)
    cards = CARDS
    rulebook = BOOK
    state_type = Dungeon

    def build_table(self, setup: Setup) -> Dungeon:
        """The empty table with the match on its agenda; the lot for the roles on top unless they are agreed."""
        roles = setup.settings["roles"]
        agreed = roles["dungeon_master"] if isinstance(roles, dict) else None
        return Dungeon(
            agenda=(PlayMatch(),) if agreed is not None else (PlayMatch(), DrawRoles()),
            games=setup.settings["games"],
            at_table=setup.is_at_table("cards"),
            named=setup.named,
            dungeon_master=agreed,
        )

    def find_outcome(self, state: Any) -> Outcome | None:
        """Who won the match: the winner of its game, or of both its games; nobody with one win each (SM-AMB-1)."""
        if state.agenda or len(state.results) < state.games:
            return None
        winners = [result.winner for result in state.results]
        if len(set(winners)) > 1:
            return Outcome((), "match_drawn", ("SM-END-1", "SM-AMB-1"), ((0, 1),))
        clauses = ("SM-END-1",) if len(winners) == 1 else ("SM-END-1", "SM-AMB-1")
        reason = f"won.{state.results[0].how}" if len(winners) == 1 else "won.both_games"
        return Outcome((winners[0],), reason, clauses, ((winners[0],), (1 - winners[0],)))

    def give_turn(self, state: Any, seat: int) -> Dungeon:
        """The table as the open question of a seat stands again; what lies upon it is dropped. Raises ValueError."""
        return give_turn(state, seat)

    def collect_card_uses(self, fact: Event) -> Iterable[CardUse]:
        """The dungeon master draws monsters, and plays cards by laying them on a floor (SM-BUILD-1, SM-BUILD-2)."""
        if isinstance(fact, GameSetUp):
            dealt = (card for card in fact.hand if not is_back(card))
            return (CardUse(fact.dungeon_master, design_name(card), "drawn") for card in dealt)
        if isinstance(fact, FloorBuilt):
            laid = (cell.card for cell in fact.laid if not is_back(cell.card))
            return (CardUse(fact.dungeon_master, design_name(card), "played") for card in laid)
        return super().collect_card_uses(fact)

    def position_schema(self, variant: str) -> dict[str, Any]:
        return self.add_interpretation_schema(SCHEMA)

    def decode_position(self, data: dict[str, Any]) -> Dungeon:
        read: Dungeon = self.decode_with_interpretations(data, decode.decode_position)
        return read

    def encode_position(self, state: Any) -> dict[str, Any]:
        return self.add_interpretations(state, encode_position(state))

    def build_position_examples(self, variant: str) -> list[dict[str, Any]]:
        return list(EXAMPLES)

    def check_census(self, data: dict[str, Any]) -> dict[str, Any]:
        return decode.check_census(self.split_position(data)[0])

    def cards_by_zone(self, state: Dungeon) -> Mapping[str, Cards]:
        """Every card by its place: those of the floor on a place each."""
        return collect_cards_by_place(state)

    def zone_label(self, place: str) -> Text:
        """What players call a place."""
        return describe_place(place)

    def find_out_of_range(self, state: Dungeon) -> Iterable[OutOfRange]:
        """Floors and monsters of floors that cannot be."""
        return find_out_of_range(state)

    def determinize(self, state: Any, seat: int, shuffle: Callable[[list[Any]], list[Any]]) -> Dungeon:
        return determinize_dungeon(state, seat, shuffle)

    def visible_cards(self, state: Any, seat: int) -> Iterable[str]:
        """As in every game, and on the floor what is up; to the dungeon master what is down as well (SM-STATE-2)."""
        master = state.dungeon_master is not None and seat == state.dungeon_master
        yield from super().visible_cards(state, seat)
        yield from (tile.card for tile in state.tiles or () if tile.up or master)

    def evaluate_state(self, view: Any, seat: int) -> int:
        """How well a seat stands. Raises Undetermined."""
        return evaluation.evaluate_games(view, seat)

    def expected_gain(self, view: Any, seat: int, move: Move) -> int:
        """What a move promises beyond what can be foreseen. Raises Undetermined."""
        return evaluation.estimate_move(view, move)

    def describe_event(self, thing: Event | Move) -> Text | None:
        """As every game tells it; with texts of their own for attacks, confirmations, monsters and floors left."""
        key = f"{text_key(thing)}.{choose_text_variant(thing)}"
        return (
            self.rulebook.render_texts(key, **self.text_parameters(thing))
            if self.rulebook.has_text(key)
            else super().describe_event(thing)
        )

    def text_parameters(self, thing: Event | Move) -> dict[str, Any]:
        """What fills the placeholders of the texts about a fact or a move."""
        said = super().text_parameters(thing)
        if isinstance(thing, FloorDestroyed):
            said["count"] = thing.undiscovered_count
        if isinstance(thing, HeroJumped):
            said["over"] = Place(*thing.over)  # a place reads "1,0" wherever it is told
        return said

    def text_variant(self, thing: Event | Move) -> str:
        """Which of several texts about a fact or a move fits."""
        return choose_text_variant(thing)

    def break_down_event(self, view: Any, fact: Event) -> tuple[Term, ...]:
        """The numbers of a fact: steps and skips, moves that turned nothing up, frightening neighbours."""
        return breakdowns.explain_event(view, fact)


def choose_text_variant(thing: Event | Move) -> str:
    """Which of several texts tells this fact or move; empty for the plain one."""
    if isinstance(thing, CardTurnedUp) and thing.is_active is not None:
        return "active" if thing.is_active else "frightened" if thing.frightened else "uncomfortable"
    if isinstance(thing, FloorDestroyed):
        return "found" if thing.found else "none"
    if isinstance(thing, MonstersDrawn):
        return "unseen" if all(map(is_back, thing.put)) else ""
    if isinstance(thing, GameWon):
        return thing.how
    if getattr(thing, "attack", False):
        return "attack"
    return "sure" if getattr(thing, "sure", False) else ""


GAME = ShyMonsters()

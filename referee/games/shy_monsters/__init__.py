"""Shy Monsters: a dungeon master hides monsters, a hero looks for the way out. The box for the desk: `GAME`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from referee.engine.breakdown import Number
from referee.engine.card_usage import CardUse, design
from referee.engine.cardtracking.ranges import Miscount
from referee.engine.chance import Picked, Shuffled, TurnedUp
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
from referee.games.shy_monsters.positions.census import called, lying, miscounted
from referee.games.shy_monsters.positions.encode import written
from referee.games.shy_monsters.positions.examples import EXAMPLES
from referee.games.shy_monsters.positions.schema import SCHEMA
from referee.games.shy_monsters.rules.correcting import turn_given
from referee.games.shy_monsters.rules.course import DrawRoles, Match
from referee.games.shy_monsters.state import Dungeon
from referee.games.shy_monsters.views import otherwise

AGREED = {
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
    stock = "SM-MAT-2"
    devices = ("cards",)
    settings: ClassVar[dict[str, Any]] = {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "roles": {
                "description": "Who is dungeon master: an agreed seat, or drawn by lot.",
                "default": "drawn",
                "oneOf": [{"const": "drawn"}, AGREED],
            },
            "games": {
                "description": "Games in the match; with two the roles change, and one win each is a draw.",
                "default": 1,
                "type": "integer",
                "enum": [1, 2],
            },
        },
    }
    begins = (GameSetUp, FloorBegun)
    moves = (Build, Reveal, Explore, Jump, Concede, Claim, RolesDrawn, Shuffled, Picked, TurnedUp)
    cards = CARDS
    book = BOOK
    state = Dungeon

    def open(self, setup: Setup) -> Dungeon:
        """The empty table with the match on its agenda; the lot for the roles on top unless they are agreed."""
        roles = setup.settings["roles"]
        agreed = roles["dungeon_master"] if isinstance(roles, dict) else None
        return Dungeon(
            agenda=(Match(),) if agreed is not None else (Match(), DrawRoles()),
            games=setup.settings["games"],
            at_table=setup.at_table("cards"),
            named=setup.named,
            dungeon_master=agreed,
        )

    def outcome(self, state: Any) -> Outcome | None:
        """Who won the match: the winner of its game, or of both its games; nobody with one win each (SM-AMB-1)."""
        if state.agenda or len(state.results) < state.games:
            return None
        winners = [result.winner for result in state.results]
        if len(set(winners)) > 1:
            return Outcome((), "match_drawn", ("SM-END-1", "SM-AMB-1"), ((0, 1),))
        clauses = ("SM-END-1",) if len(winners) == 1 else ("SM-END-1", "SM-AMB-1")
        reason = f"won.{state.results[0].how}" if len(winners) == 1 else "won.both_games"
        return Outcome((winners[0],), reason, clauses, ((winners[0],), (1 - winners[0],)))

    def turn_given(self, state: Any, seat: int) -> Dungeon:
        """The table as the open question of a seat stands again; what lies upon it is dropped. Raises ValueError."""
        return turn_given(state, seat)

    def card_uses(self, fact: Event) -> Iterable[CardUse]:
        """The dungeon master draws monsters, and plays cards by laying them on a floor (SM-BUILD-1, SM-BUILD-2)."""
        if isinstance(fact, GameSetUp):
            dealt = (card for card in fact.hand if not is_back(card))
            return (CardUse(fact.dungeon_master, design(card), "drawn") for card in dealt)
        if isinstance(fact, FloorBuilt):
            laid = (cell.card for cell in fact.laid if not is_back(cell.card))
            return (CardUse(fact.dungeon_master, design(card), "played") for card in laid)
        return super().card_uses(fact)

    def position_schema(self, variant: str) -> dict[str, Any]:
        return self.position_form(SCHEMA)

    def position(self, data: dict[str, Any]) -> Dungeon:
        read: Dungeon = self.position_read(data, decode.read)
        return read

    def written(self, state: Any) -> dict[str, Any]:
        return self.position_written(state, written(state))

    def examples(self, variant: str) -> list[dict[str, Any]]:
        return list(EXAMPLES)

    def census(self, data: dict[str, Any]) -> dict[str, Any]:
        return decode.census(self.position_parted(data)[0])

    def lying(self, state: Dungeon) -> Mapping[str, Cards]:
        """Every card by its place: those of the floor on a place each."""
        return lying(state)

    def called(self, place: str) -> Text:
        """What players call a place."""
        return called(place)

    def miscounted(self, state: Dungeon) -> Iterable[Miscount]:
        """Floors and monsters of floors that cannot be."""
        return miscounted(state)

    def otherwise(self, state: Any, seat: int, shuffle: Callable[[list[Any]], list[Any]]) -> Dungeon:
        return otherwise(state, seat, shuffle)

    def lying_open(self, state: Any, seat: int) -> Iterable[str]:
        """As in every game, and on the floor what is up; to the dungeon master what is down as well (SM-STATE-2)."""
        master = state.dungeon_master is not None and seat == state.dungeon_master
        yield from super().lying_open(state, seat)
        yield from (tile.card for tile in state.tiles or () if tile.up or master)

    def worth(self, view: Any, seat: int) -> int:
        """How well a seat stands. Raises Unknown."""
        return evaluation.worth(view, seat)

    def promise(self, view: Any, seat: int, move: Move) -> int:
        """What a move promises beyond what can be foreseen. Raises Unknown."""
        return evaluation.promise(view, move)

    def told(self, thing: Event | Move) -> Text | None:
        """As every game tells it; with texts of their own for attacks, confirmations, monsters and floors left."""
        key = f"{text_key(thing)}.{mood_of(thing)}"
        return self.book.texts(key, **self.said(thing)) if self.book.has(key) else super().told(thing)

    def said(self, thing: Event | Move) -> dict[str, Any]:
        """What fills the placeholders of the texts about a fact or a move."""
        said = super().said(thing)
        if isinstance(thing, FloorDestroyed):
            said["count"] = thing.count
        if isinstance(thing, HeroJumped):
            said["over"] = Place(*thing.over)  # a place reads "1,0" wherever it is told
        return said

    def case(self, thing: Event | Move) -> str:
        """Which of several texts about a fact or a move fits."""
        return mood_of(thing)

    def reckoned(self, view: Any, fact: Event) -> tuple[Number, ...]:
        """The numbers of a fact: steps and skips, moves that turned nothing up, frightening neighbours."""
        return breakdowns.reckoned(view, fact)


def mood_of(thing: Event | Move) -> str:
    """Which of several texts tells this fact or move; empty for the plain one."""
    if isinstance(thing, CardTurnedUp) and thing.active is not None:
        return "active" if thing.active else "frightened" if thing.frightened else "uncomfortable"
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

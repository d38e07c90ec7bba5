"""Shy Monsters: a dungeon master hides monsters, a hero looks for the way out.

The object `GAME` is what the program knows of the box.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from referee.engine.chance import PickResult, RandomBelow, ShuffleResult, TurnUpResult
from referee.engine.events import Event, Move
from referee.engine.game import Game, GameParts, Outcome, Rival, Setup
from referee.engine.parts.breakdowns import Breakdowns
from referee.engine.parts.card_tracking import CardTracking
from referee.engine.parts.card_usage import CardUse, design_name
from referee.engine.parts.evaluation import Evaluation
from referee.engine.rulebook.book import Text
from referee.engine.rulings import Ruling
from referee.engine.zones import is_back
from referee.games.shy_monsters import breakdowns, evaluation
from referee.games.shy_monsters.board import ShyMonstersBoards
from referee.games.shy_monsters.components import BACK, BOOK, CARDS, MONSTERS
from referee.games.shy_monsters.events import (
    FloorBuilt,
    GameSetUp,
)
from referee.games.shy_monsters.moves import Build, Claim, Concede, Explore, Jump, Reveal, RolesDrawn
from referee.games.shy_monsters.narration import ShyMonstersNarration
from referee.games.shy_monsters.positions.table import POSITIONS
from referee.games.shy_monsters.reckoning.hero import weigh_hero_moves
from referee.games.shy_monsters.reckoning.master import weigh_floors
from referee.games.shy_monsters.rules import preconditions  # noqa: F401  # registers the reasons of refusals
from referee.games.shy_monsters.rules.building import BuildFloor
from referee.games.shy_monsters.rules.correcting import give_turn
from referee.games.shy_monsters.rules.course import DrawRoles, PlayMatch
from referee.games.shy_monsters.rules.exploring import HeroTurn
from referee.games.shy_monsters.state import Dungeon
from referee.games.shy_monsters.tracking import collect_cards_by_place, describe_place, find_out_of_range
from referee.games.shy_monsters.views import complete_dungeon

AGREED_ROLES_SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["dungeon_master"],
    "properties": {"dungeon_master": {"type": "integer", "enum": [0, 1]}},
}


class ShyMonstersTracking(CardTracking):
    """Where cards lie. Each card of the floor has a place of its own."""

    copies_clause = "SM-MAT-2"
    cards_by_zone = staticmethod(collect_cards_by_place)
    zone_label = staticmethod(describe_place)
    find_out_of_range = staticmethod(find_out_of_range)
    complete_view = staticmethod(complete_dungeon)

    def visible_cards(self, state: Any, seat: int) -> Iterable[str]:
        """Yield the cards that `seat` sees: those of every game, and those of the floor.

        SM-STATE-2: The hero sees the faces that are up, the dungeon master the whole floor.
        """
        master = state.dungeon_master is not None and seat == state.dungeon_master
        yield from super().visible_cards(state, seat)
        yield from (tile.card for tile in state.tiles or () if tile.up or master)

    def find_contradicted_cards(self, state: Dungeon, ruling: Ruling) -> Iterable[str]:
        """Yield the cards that a refused report contradicts, also by their number.

        SM-BUILD-1: There are two monsters on each floor.
        """
        yield from super().find_contradicted_cards(state, ruling)
        if any(each.reason == "two_monsters_a_floor" for each in ruling.broken_rules):
            yield from (tile.card for tile in state.tiles or () if tile.card in MONSTERS)

    def collect_card_uses(self, event: Event) -> Iterable[CardUse]:
        """Return the cards that the dungeon master drew or played with `event`.

        SM-BUILD-1: The dungeon master adds two monsters from the pile to the hand.
        SM-BUILD-2: All six hand cards are laid out. Laying a card counts as playing it.
        """
        if isinstance(event, GameSetUp):
            dealt = (card for card in event.hand if not is_back(card))
            return (CardUse(event.dungeon_master, design_name(card), "drawn") for card in dealt)
        if isinstance(event, FloorBuilt):
            laid = (cell.card for cell in event.laid if not is_back(cell.card))
            return (CardUse(event.dungeon_master, design_name(card), "played") for card in laid)
        return super().collect_card_uses(event)


class ShyMonstersBreakdowns(Breakdowns):
    """Explained numbers."""

    break_down_event = staticmethod(breakdowns.explain_event)


class ShyMonstersEvaluation(Evaluation):
    """What tables and moves are worth to bots."""

    evaluate_state = staticmethod(evaluation.evaluate_games)

    def expected_gain(self, view: Any, seat: int, move: Move, /) -> int:
        """Return what a move promises beyond what can be foreseen. Raises Undetermined."""
        return evaluation.estimate_move(view, move)


class ShyMonsters(Game):
    """The game Shy Monsters for two seats, one of them the dungeon master.

    SM-AMB-1: The players agree on the roles, or the roles are drawn. A match has one game, or two with changed roles.
    """

    name = "shy_monsters"
    prefix = "sm"
    title: ClassVar[Text] = {"en": "Shy Monsters", "de": "Shy Monsters"}
    min_seats = 2
    max_seats = 2
    devices = ("cards",)
    settings: ClassVar[dict[str, Any]] = {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "roles": {
                "description": "Who is dungeon master: an agreed seat, or drawn by lot.",
                "default": "drawn",
                "anyOf": [{"const": "drawn"}, AGREED_ROLES_SCHEMA],
            },
            "games": {
                "description": "Games in the match; with two the roles change, and one win each is a draw.",
                "default": 1,
                "type": "integer",
                "enum": [1, 2],
            },
        },
    }
    move_types = (Build, Reveal, Explore, Jump, Concede, Claim, RolesDrawn, ShuffleResult, PickResult, TurnUpResult)
    cards = CARDS
    rulebook = BOOK
    state_type = Dungeon
    parts = GameParts(
        POSITIONS,
        ShyMonstersTracking,
        ShyMonstersNarration,
        ShyMonstersBreakdowns(),
        ShyMonstersEvaluation(),
        ShyMonstersBoards,
    )

    def build_table(self, setup: Setup) -> Dungeon:
        """Return the empty table with the match on its agenda.

        Unless the roles are agreed, the step that draws them lies on top.
        """
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
        """Return who won the match, or None while it is running.

        SM-AMB-1: A match of two games is won by the player who wins both. With one win each nobody wins it.
        """
        if state.agenda or len(state.results) < state.games:
            return None
        winners = [result.winner for result in state.results]
        if len(set(winners)) > 1:
            return Outcome((), "match_drawn", ("SM-END-1", "SM-AMB-1"), ((0, 1),))
        clauses = ("SM-END-1",) if len(winners) == 1 else ("SM-END-1", "SM-AMB-1")
        reason = f"won.{state.results[0].how}" if len(winners) == 1 else "won.both_games"
        return Outcome((winners[0],), reason, clauses, ((winners[0],), (1 - winners[0],)))

    def weigh_moves(
        self, view: Any, seat: int, below: RandomBelow, effort: int, rival: Rival, /
    ) -> Sequence[tuple[Move, float]]:
        """Return the hero's moves or the dungeon master's floors, each with its promise.

        Of real cards that nobody has named no floor can be worked out. Raises Undetermined.
        """
        question = view.agenda[-1]
        if isinstance(question, HeroTurn) and seat == view.hero:
            return weigh_hero_moves(view)
        if isinstance(question, BuildFloor) and seat == view.master and BACK not in view.get_hand():
            return weigh_floors(view, below, effort, rival)
        return ()

    give_turn = staticmethod(give_turn)


GAME = ShyMonsters()

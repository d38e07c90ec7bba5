"""Monster Combat: a game of players against each other, or against monsters.

The object `GAME` is what the program knows of the box.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, ClassVar

from referee.engine.cardtracking.determinization import Memory, determinize_zones
from referee.engine.chance import PickResult, RandomBelow, ShuffleResult, TurnUpResult
from referee.engine.events import Event, Move, replace_fields
from referee.engine.game import Game, GameParts, Setup
from referee.engine.parts.card_tracking import CardTracking
from referee.engine.parts.narration import Narration
from referee.engine.rulebook.book import SpokenText
from referee.engine.rulings import MalformedInput, Ruling
from referee.engine.zones import Moved, back_of, is_back
from referee.games.monster_combat import breakdowns, evaluation, narration
from referee.games.monster_combat.board import MonsterCombatBoards
from referee.games.monster_combat.components import (
    BOOK,
    CARDS,
    Rules,
    design_name,
    list_box_cards,
    settle_trigger_backs,
)
from referee.games.monster_combat.events import (
    AttackParried,
    CardPlayed,
    DeckTopShown,
    HandLost,
    ImmunityEnded,
    TurnBegan,
)
from referee.games.monster_combat.monster_events import MonsterFellAsleep, MonsterWoke
from referee.games.monster_combat.moves import (
    DiscardSurplus,
    DrawResult,
    FirstPlayerResult,
    LayOpenResult,
    Parry,
    Pass,
    PlayCard,
    ReviveDraw,
    TakeHit,
)
from referee.games.monster_combat.positions.census import find_out_of_range
from referee.games.monster_combat.positions.table import POSITIONS
from referee.games.monster_combat.rules import preconditions  # noqa: F401  # registers the reasons of refusals
from referee.games.monster_combat.rules.drawing import find_top_back
from referee.games.monster_combat.rules.ending import compute_outcome
from referee.games.monster_combat.rules.setup import build_initial_table
from referee.games.monster_combat.rules.turn import give_turn
from referee.games.monster_combat.settings import SETTINGS
from referee.games.monster_combat.state import DECK, Table


class MonsterCombatTracking(CardTracking):
    """Where cards lie."""

    copies_clause = "MC-MAT-2"
    card_play_events = (CardPlayed, AttackParried)
    find_out_of_range = staticmethod(find_out_of_range)

    def find_contradicted_cards(self, state: Table, ruling: Ruling) -> Iterable[str]:
        """Yield the cards that a refused report contradicts.

        MC-AMB-2: Where backs are not counted, copies with either back count together.
        """
        for card in super().find_contradicted_cards(state, ruling):
            alike = [name for name in list_box_cards(state.rules) if design_name(name) == design_name(card)]
            yield from (card,) if state.rules.counts_backs else alike

    def complete_view(self, view: Table, seat: int, below: RandomBelow, memory: Memory, /) -> Table:
        """Return a whole table of which this is the seat's view.

        MC-MAT-4: The backs tell apart what a card is. The one on top of the draw pile is for all to see.
        """
        box, real = list_box_cards(view.rules), view.rules.at_table
        zones = determinize_zones(view, seat, below, box, memory=memory, real=real)
        deck = list(zones.get(DECK, ()))
        top = next((card for card in deck if view.top and back_of(card) == view.top), None)
        if top is not None and not real:
            deck.remove(top)
            zones[DECK] = (top, *deck)
        return replace_fields(view, zones=zones)


class MonsterCombatNarration(Narration):
    """Texts about events and moves."""

    unnarrated_events = (DeckTopShown,)
    turn_start_events = (TurnBegan,)
    turn_ending_moves = (Pass,)

    def text_parameters(self, thing: Event | Move) -> dict[str, Any]:
        """Return what fills the placeholders of the texts about an event or a move."""
        return super().text_parameters(thing) | narration.add_text_parameters(thing)

    def describe_question(self, state: Table) -> tuple[str, dict[str, Any]]:
        """Return which text of the open question fits, and its numbers.

        Raises Undetermined.
        """
        return narration.describe_question(state)

    def render_spoken_text(self, thing: Event | Move, /, **more: Any) -> SpokenText | None:
        """Return the sentence to read aloud about an event or a move.

        Of a life-back card it says whose heart it fills.
        """
        found = self.game.rulebook.find_spoken_text(*narration.list_life_texts(thing, more.get("who")))
        if found is None:
            return super().render_spoken_text(thing, **more)
        return self.game.rulebook.fill_spoken_text(found, **{**self.text_parameters(thing), **more})

    def text_variant(self, thing: Event | Move) -> str:
        """Return which of several texts fits an event or a move, or "" for the plain one."""
        match thing:
            case PlayCard(target=int()):
                return "at"
            case ImmunityEnded(sure=False):
                return "perhaps"
            case MonsterWoke(rules=rules) if "MC-V2-MONSTER-1" in rules:
                return "beaten"
            case MonsterFellAsleep(through_one_turn=True):
                return "turn"
            case ReviveDraw(draw=False):
                return "no"
            case Moved(put=put) if put and all(map(is_back, put)):
                return "unseen"
            case HandLost(rules=rules) if "MC-AMB-18" in rules:
                return "defeat"
        return ""


class MonsterCombat(Game):
    """The game Monster Combat, in two variants.

    In V1 all play against all. In V2 all players stand together against ten monsters.

    MC-MAT-5: Two to seven play.
    """

    name = "monster_combat"
    prefix = "mc"
    title: ClassVar[dict[str, str]] = {"en": "Monster Combat", "de": "Monster Combat"}
    variants = ("V1", "V2")
    min_seats = 2
    max_seats = 7
    cooperative_variants = ("V2",)
    devices = ("deck",)
    settings = SETTINGS
    rulesets: ClassVar[dict[str, dict[str, int]]] = {"1": {}, "2": {"MC-AMB-16": 2}, "3": {"MC-AMB-16": 2}}
    move_types = (
        PlayCard, Pass, Parry, TakeHit, DiscardSurplus, ReviveDraw,
        FirstPlayerResult, DrawResult, LayOpenResult, ShuffleResult, PickResult, TurnUpResult,
    )  # fmt: skip
    cards = CARDS
    rulebook = BOOK
    state_type = Table
    parts = GameParts(
        POSITIONS,
        MonsterCombatTracking,
        MonsterCombatNarration,
        breakdowns,
        evaluation,
        MonsterCombatBoards,
    )

    def settings_of_ruleset(self, ruleset: str) -> dict[str, Any]:
        """Return the settings by which a ruleset departs from their defaults.

        MC-AMB-2: From ruleset 3 on nobody checks backs in variant 2, where they mean nothing.
        """
        unchecked = {} if ruleset in ("1", "2") else {"trigger_backs": "spread_in_v1"}
        return {**super().settings_of_ruleset(ruleset), **unchecked}

    def build_table(self, setup: Setup) -> Table:
        """Return the table before anything is shuffled.

        Raises MalformedInput if the setup does not fit the number of seats.
        """
        setup = self.complete_setup(setup)
        first, backs = setup.settings["first_player"], setup.settings.get("trigger_backs", "spread")
        if first != "drawn" and first >= setup.seats:
            raise MalformedInput(
                [{"pointer": "/settings/first_player", "detail": f"seats are numbered from 0 to {setup.seats - 1}"}]
            )
        at_table = setup.is_at_table("deck")
        return build_initial_table(
            Rules(
                variant=setup.variant,
                seats=setup.seats,
                at_table=at_table,
                named=tuple(sorted(setup.named)) if at_table else (),
                **{
                    **setup.settings,
                    "first_player": None if first == "drawn" else first,
                    "trigger_backs": settle_trigger_backs(backs),
                },
            )
        )

    find_outcome = staticmethod(compute_outcome)
    give_turn = staticmethod(give_turn)

    def reconcile_state(self, state: Any) -> Table:
        """Set the back on top of the draw pile to that of its first card, if known.

        MC-AMB-1: Trigger cards are playing cards with a back of their own.
        """
        shown = find_top_back(state.cards_at(DECK))
        reconciled: Table = state if shown is None and state.cards_at(DECK) else replace(state, top=shown)
        return reconciled

    def count_seats(self, state: Table) -> int:
        """Count the seats of the match."""
        return state.rules.seats

    def seat_on_turn(self, state: Table) -> int | None:
        """Return the seat on turn, or None before the first turn."""
        return state.turn if state.turn in range(state.rules.seats) else None


GAME = MonsterCombat()

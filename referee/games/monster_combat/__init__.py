"""Monster Combat: a game of players against each other, or against monsters.

The object `GAME` is what the program knows of the box.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, ClassVar

from referee.engine.breakdown import Term
from referee.engine.cardtracking.ranges import OutOfRange
from referee.engine.chance import PickResult, ShuffleResult, TurnUpResult
from referee.engine.events import Event, Move
from referee.engine.game import Game, Outcome, Setup, text_key
from referee.engine.rulebook.book import Text
from referee.engine.rulings import MalformedInput
from referee.engine.zones import Moved, arrange_cards, back_of, count_unnamed_copies, is_back, is_open_to
from referee.games.monster_combat import breakdowns, evaluation
from referee.games.monster_combat.components import BOOK, CARDS, MONSTERS, Rules, list_box_cards, list_copies
from referee.games.monster_combat.events import AttackParried, CardPlayed, DeckTopShown, ImmunityEnded, TurnBegan
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
from referee.games.monster_combat.positions import decode
from referee.games.monster_combat.positions.census import find_contradictions, find_out_of_range, list_recounts
from referee.games.monster_combat.positions.contradictions import find_pointer
from referee.games.monster_combat.positions.examples import build_examples
from referee.games.monster_combat.positions.schema import SETTINGS, build_position_schema
from referee.games.monster_combat.rules.drawing import find_top_back
from referee.games.monster_combat.rules.ending import compute_outcome
from referee.games.monster_combat.rules.setup import build_initial_table
from referee.games.monster_combat.rules.turn import give_turn
from referee.games.monster_combat.state import DECK, Table


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
    copies_clause = "MC-MAT-2"
    cooperative_variants = ("V2",)
    devices = ("deck",)
    turn_start_events = (TurnBegan,)
    card_play_events = (CardPlayed, AttackParried)
    settings = SETTINGS
    move_types = (
        PlayCard, Pass, Parry, TakeHit, DiscardSurplus, ReviveDraw,
        FirstPlayerResult, DrawResult, LayOpenResult, ShuffleResult, PickResult, TurnUpResult,
    )  # fmt: skip
    cards = CARDS
    rulebook = BOOK
    state_type = Table

    def build_table(self, setup: Setup) -> Table:
        """Return the table before anything is shuffled.

        Raises MalformedInput if the setup does not fit the number of seats.
        """
        setup = self.complete_setup(setup)
        first = setup.settings["first_player"]
        if first != "drawn" and first >= setup.seats:
            raise MalformedInput(
                [{"pointer": "/settings/first_player", "detail": f"seats are numbered from 0 to {setup.seats - 1}"}]
            )
        if any(seat not in range(setup.seats) for seat in setup.named):
            raise MalformedInput([{"pointer": "/named", "detail": f"seats are numbered from 0 to {setup.seats - 1}"}])
        at_table = setup.is_at_table("deck")
        return build_initial_table(
            Rules(
                variant=setup.variant,
                seats=setup.seats,
                at_table=at_table,
                named=tuple(sorted(setup.named)) if at_table else (),
                **{**setup.settings, "first_player": None if first == "drawn" else first},
            )
        )

    def find_outcome(self, state: Table) -> Outcome | None:
        """Return how the match has ended, or None while it is running."""
        return compute_outcome(state)

    def give_turn(self, state: Any, seat: int) -> Table:
        """Return the table as the turn of `seat` is about to begin. Raises ValueError."""
        return give_turn(state, seat)

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

    def position_schema(self, variant: str) -> dict[str, Any]:
        """Return the JSON Schema of a position."""
        return self.add_interpretation_schema(build_position_schema(variant))

    def decode_position(self, data: dict[str, Any]) -> Table:
        """Return the table that a position describes.

        Raises MalformedInput if its form is wrong, ContradictoryPosition if it cannot be.
        """
        read: Table = self.decode_with_interpretations(data, decode.decode_position)
        return read

    def encode_position(self, state: Table) -> dict[str, Any]:
        """Return the position that describes a table."""
        return self.add_interpretations(state, decode.encode_position(state))

    def build_position_examples(self, variant: str) -> list[dict[str, Any]]:
        """Return a position for every question of a variant."""
        return build_examples(variant)

    def check_census(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return whether a position's cards can be, and which places to count again.

        Raises MalformedInput.
        """
        data, _ = self.split_position(data)
        rules = decode.decode_rules(data, [])
        found = find_contradictions(rules, decode.decode_zones(data, rules))
        again = [
            {"pointer": find_pointer([place]), "says": BOOK.render_texts("census.recount", place=place)}
            for place in list_recounts(found)
        ]
        return {"possible": not found, "contradictions": found, "recounts": again}

    def find_out_of_range(self, state: Table) -> Iterable[OutOfRange]:
        """Find numbers of hearts that cannot be."""
        return find_out_of_range(state)

    def determinize(self, state: Table, seat: int, shuffle: Callable[[list[Any]], list[Any]]) -> Table:
        """Return another table that this seat cannot tell from the given one.

        The cards hidden from the seat are permuted among those with the same back. At a table of real cards only some
        cards are named. Any unnamed copy of the box may then take the place of a named one.
        """
        hidden = sorted(place for place in state.zones if not is_open_to(place, seat))
        pools: dict[str, list[str]] = {}
        for card in list_copies(+count_unnamed_copies(list_box_cards(state.rules), state)):
            pools.setdefault(back_of(card), []).append(card)
        for place in hidden:
            for card in state.zones[place]:
                if not is_back(card):
                    pools.setdefault(back_of(card), []).append(card)
        mixed = {shape: shuffle(cards) for shape, cards in pools.items()}
        zones = dict(state.zones)
        for place in hidden:
            zones[place] = arrange_cards(card if is_back(card) else mixed[back_of(card)].pop() for card in zones[place])
        return replace(state, zones=zones)

    def evaluate_state(self, view: Any, seat: int) -> int:
        """Return how well a seat stands. Raises Undetermined."""
        return evaluation.evaluate_state(view, seat)

    def expected_gain(self, view: Any, seat: int, move: Move) -> int:
        """Return what a move promises beyond what can be foreseen. Raises Undetermined."""
        return evaluation.expected_gain(view, seat, move)

    def describe_event(self, thing: Event | Move) -> Text | None:
        """Describe an event or a move in both languages, or None for bookkeeping."""
        if isinstance(thing, DeckTopShown):
            return None
        key = f"{text_key(thing)}.{self.text_variant(thing)}"
        return (
            BOOK.render_texts(key, **self.text_parameters(thing))
            if BOOK.has_text(key)
            else super().describe_event(thing)
        )

    def text_parameters(self, thing: Event | Move) -> dict[str, Any]:
        """Return what fills the placeholders of the texts about an event or a move."""
        numbered = isinstance(thing, Event) and hasattr(thing, "number")
        return super().text_parameters(thing) | ({"monster": MONSTERS[thing.number]["id"]} if numbered else {})  # type: ignore[union-attr]

    def text_variant(self, thing: Event | Move) -> str:
        """Return which of several texts fits an event or a move, or "" for the plain one."""
        match thing:
            case PlayCard(target=int()):
                return "at"
            case ImmunityEnded(sure=False):
                return "perhaps"
            case ReviveDraw(draw=False):
                return "no"
            case Moved(put=put) if put and all(map(is_back, put)):
                return "unseen"
        return ""

    def break_down_event(self, view: Any, event: Event) -> tuple[Term, ...]:
        """Return the numbers of an event: hearts lost, regained and left, and strengths."""
        return breakdowns.break_down_event(view, event)

    def compute_totals(self, view: Any) -> tuple[Term, ...]:
        """Return the hearts at stake for the players attacked, and the monster's hearts."""
        return tuple(breakdowns.compute_totals(view))


GAME = MonsterCombat()

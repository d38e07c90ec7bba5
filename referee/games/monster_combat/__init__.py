"""Monster Combat: the box. One object, GAME."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from referee.engine.breakdown import Number
from referee.engine.cardtracking.ranges import Miscount
from referee.engine.chance import Picked, Shuffled, TurnedUp
from referee.engine.events import Event, Move
from referee.engine.game import Game, Malformed, Outcome, Setup, text_key
from referee.engine.rulebook.book import Text
from referee.engine.zones import Moved, arranged, back, census, is_back, open_to
from referee.games.monster_combat import breakdowns, evaluation
from referee.games.monster_combat.components import BOOK, CARDS, MONSTERS, Rules, box, pile
from referee.games.monster_combat.events import CardPlayed, ImmunityEnded, Parried, TopShown, TurnBegan
from referee.games.monster_combat.moves import (
    Begins,
    CardsDrawn,
    DiscardDown,
    LaidOpen,
    Parry,
    Pass,
    PlayCard,
    ReviveDraw,
    TakeIt,
)
from referee.games.monster_combat.positions import decode
from referee.games.monster_combat.positions.census import contradictions, miscounted, recounts
from referee.games.monster_combat.positions.contradictions import pointer_of
from referee.games.monster_combat.positions.examples import examples
from referee.games.monster_combat.positions.schema import SETTINGS, position_schema
from referee.games.monster_combat.rules.drawing import top_back
from referee.games.monster_combat.rules.ending import outcome
from referee.games.monster_combat.rules.setup import laid_out
from referee.games.monster_combat.rules.turn import turn_given
from referee.games.monster_combat.state import DECK, Table


class MonsterCombat(Game):
    """V1: everyone against everyone. V2: all together against ten monsters. Two to seven seats (MC-MAT-5)."""

    name = "monster_combat"
    prefix = "mc"
    title = {"en": "Monster Combat", "de": "Monster Combat"}
    variants = ("V1", "V2")
    min_seats = 2
    max_seats = 7
    stock = "MC-MAT-2"
    together = ("V2",)
    devices = ("deck",)
    begins = (TurnBegan,)
    plays = (CardPlayed, Parried)
    settings = SETTINGS
    moves = (
        PlayCard, Pass, Parry, TakeIt, DiscardDown, ReviveDraw,
        Begins, CardsDrawn, LaidOpen, Shuffled, Picked, TurnedUp,
    )  # fmt: skip
    cards = CARDS
    book = BOOK
    state = Table

    def open(self, setup: Setup) -> Table:
        """The table before anything is shuffled. Raises Malformed where the setup does not fit."""
        setup = self.set_up(setup)
        first = setup.settings["first_player"]
        if first != "drawn" and first >= setup.seats:
            raise Malformed([{"pointer": "/settings/first_player", "detail": f"seats go from 0 to {setup.seats - 1}"}])
        if any(seat not in range(setup.seats) for seat in setup.named):
            raise Malformed([{"pointer": "/named", "detail": f"seats go from 0 to {setup.seats - 1}"}])
        at_table = setup.at_table("deck")
        return laid_out(
            Rules(
                variant=setup.variant,
                seats=setup.seats,
                at_table=at_table,
                named=tuple(sorted(setup.named)) if at_table else (),
                **{**setup.settings, "first_player": None if first == "drawn" else first},
            )
        )

    def outcome(self, state: Table) -> Outcome | None:
        """How the match has ended, None while it goes on."""
        return outcome(state)

    def turn_given(self, state: Any, seat: int) -> Table:
        """The table as the turn of a player is about to begin. Raises ValueError."""
        return turn_given(state, seat)

    def in_line(self, state: Any) -> Table:
        """The back on top of the draw pile is that of its first card, where that one is known (MC-AMB-1)."""
        shown = top_back(state.place(DECK))
        stands: Table = state if shown is None and state.place(DECK) else replace(state, top=shown)
        return stands

    def seats_at(self, state: Table) -> int:
        """How many play."""
        return state.rules.seats

    def on_turn(self, state: Table) -> int | None:
        """The seat on turn; None before the first."""
        return state.turn if state.turn in range(state.rules.seats) else None

    def position_schema(self, variant: str) -> dict[str, Any]:
        """The JSON Schema of a position."""
        return self.position_form(position_schema(variant))

    def position(self, data: dict[str, Any]) -> Table:
        """The table that a position describes. Raises Malformed, Impossible."""
        read: Table = self.position_read(data, decode.read)
        return read

    def written(self, state: Table) -> dict[str, Any]:
        """The position that describes a table."""
        return self.position_written(state, decode.write(state))

    def examples(self, variant: str) -> list[dict[str, Any]]:
        """A position for every question of a variant."""
        return examples(variant)

    def census(self, data: dict[str, Any]) -> dict[str, Any]:
        """Whether the cards of a position can be, and what to count again. Raises Malformed."""
        data, _ = self.position_parted(data)
        rules = decode.read_rules(data, [])
        found = contradictions(rules, decode.read_zones(data, rules))
        again = [
            {"pointer": pointer_of([place]), "says": BOOK.texts("census.recount", place=place)}
            for place in recounts(found)
        ]
        return {"possible": not found, "contradictions": found, "recounts": again}

    def miscounted(self, state: Table) -> Iterable[Miscount]:
        """Hearts that cannot be."""
        return miscounted(state)

    def otherwise(self, state: Table, seat: int, shuffle: Callable[[list[Any]], list[Any]]) -> Table:
        """Another table that this seat cannot tell from this one: the names hidden from it, permuted back for back.

        At a table of real cards only some are named: for them any unnamed copy of the box might lie there as well.
        """
        hidden = sorted(place for place in state.zones if not open_to(place, seat))
        pools: dict[str, list[str]] = {}
        for card in pile(+census(box(state.rules), state)):
            pools.setdefault(back(card), []).append(card)
        for place in hidden:
            for card in state.zones[place]:
                if not is_back(card):
                    pools.setdefault(back(card), []).append(card)
        mixed = {shape: shuffle(cards) for shape, cards in pools.items()}
        zones = dict(state.zones)
        for place in hidden:
            zones[place] = arranged(card if is_back(card) else mixed[back(card)].pop() for card in zones[place])
        return replace(state, zones=zones)

    def worth(self, view: Any, seat: int) -> int:
        """How well a seat stands. Raises Unknown."""
        return evaluation.worth(view, seat)

    def promise(self, view: Any, seat: int, move: Move) -> int:
        """What a move promises beyond what can be foreseen. Raises Unknown."""
        return evaluation.promise(view, seat, move)

    def told(self, thing: Event | Move) -> Text | None:
        """A readable line about a fact or a move; None for bookkeeping."""
        if isinstance(thing, TopShown):
            return None
        key = f"{text_key(thing)}.{self.case(thing)}"
        return BOOK.texts(key, **self.said(thing)) if BOOK.has(key) else super().told(thing)

    def said(self, thing: Event | Move) -> dict[str, Any]:
        """What fills the placeholders of the texts about a fact or a move."""
        numbered = isinstance(thing, Event) and hasattr(thing, "number")
        return super().said(thing) | ({"monster": MONSTERS[thing.number]["id"]} if numbered else {})  # type: ignore[union-attr]

    def case(self, thing: Event | Move) -> str:
        """Which of several texts about a fact or a move fits."""
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

    def reckoned(self, view: Any, fact: Event) -> tuple[Number, ...]:
        """The numbers of a fact: hearts lost, regained and left, and the strength of attacks."""
        return breakdowns.reckoned(view, fact)

    def sums(self, view: Any) -> tuple[Number, ...]:
        """The hearts that those lose who are being attacked, and those of the monster that all fight."""
        return tuple(breakdowns.standing(view))


GAME = MonsterCombat()

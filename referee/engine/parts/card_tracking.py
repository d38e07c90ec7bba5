"""Where the cards of a game lie, who sees them, and what a seat cannot tell apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from referee.engine.cardtracking.determinization import NOTHING_REMEMBERED, Memory
from referee.engine.cardtracking.ranges import OutOfRange
from referee.engine.chance import RandomBelow
from referee.engine.events import Event
from referee.engine.parts import GamePart
from referee.engine.parts.card_usage import CardUse, collect_card_uses
from referee.engine.rulebook.book import LANGUAGES, Text
from referee.engine.rulings import Ruling
from referee.engine.zones import Cards, is_open_to

CENSUS_CLAUSE = "KERNEL-CENSUS-1"  # each copy of a card is in one place only


class CardTracking(GamePart):
    """The cards of a game. By default all of them lie in the zones of a `ZonedState`."""

    copies_clause: ClassVar[str] = CENSUS_CLAUSE  # the clause that says how many copies of each card there are
    # The events that play cards. Empty: every event that moves a card from a hand into the open plays it.
    card_play_events: ClassVar[tuple[type[Event], ...]] = ()

    def cards_by_zone(self, state: Any, /) -> Mapping[str, Cards]:
        """Return every card on a table by the place where it lies.

        Hidden cards appear as their backs.
        """
        zones: Mapping[str, Cards] = getattr(state, "zones", {})
        return zones

    def zone_label(self, place: str, /) -> Text:
        """Return what players call a place where cards lie, in each language."""
        return {lang: str(self.game.rulebook.render_parameter(place, lang)) for lang in LANGUAGES}

    def revealed_cards(self, event: Event, /) -> Iterable[tuple[str, Cards]]:
        """Yield the cards that an event shows to lie at a place without moving them.

        The event is as its viewer may know it.
        """
        return ()

    def exchanged_zones(self, event: Event, /) -> tuple[str, str] | None:
        """Return the two places whose cards an event swaps completely, or None."""
        return None

    def find_out_of_range(self, state: Any, /) -> Iterable[OutOfRange]:
        """Yield the numbers on a table, whole or in a view, that the rules exclude."""
        return ()

    def find_contradicted_cards(self, state: Any, ruling: Ruling, /) -> Iterable[str]:
        """Yield the cards which, lying by name elsewhere, contradict a refused report.

        None are found if the report is refused for another reason.
        """
        for each in ruling.broken_rules:
            if CENSUS_CLAUSE in each.clauses and isinstance(each.params.get("card"), str):
                yield each.params["card"]

    def determinize(self, state: Any, seat: int, below: RandomBelow, memory: Memory | None = None, /) -> Any:
        """Return a whole state that this seat cannot tell from the given one.

        Only the seat's view of `state` is used: it may be that view itself. What the view hides is drawn at random
        from all that it could be. `memory`: by place, cards that the seat remembers to lie there.

        At a table of real cards, nobody knows what lies in a pile, so those cards stay backs.
        """
        return self.complete_view(state.view_for(seat), seat, below, memory or NOTHING_REMEMBERED)

    def complete_view(self, view: Any, seat: int, below: RandomBelow, memory: Memory, /) -> Any:
        """Return a whole state of which this is the view. See `determinize`.

        A game that hides something has to override this. By default nothing is hidden.
        """
        return view

    def visible_cards(self, state: Any, seat: int, /) -> Iterable[str]:
        """Yield every card that lies open to a seat, once each.

        A card appears as its name, or as its back if it is a real card that the seat sees and the referee does not
        know. By default these are the cards in zones. A game that also keeps cards elsewhere has to override this.
        """
        zones = getattr(state, "zones", {})
        return (card for place, cards in zones.items() if is_open_to(place, seat) for card in cards)

    def collect_card_uses(self, event: Event, /) -> Iterable[CardUse]:
        """Yield the cards that an unmasked event shows to be drawn or played.

        By default this follows from where the cards move. It serves statistics of ended matches only: no rule looks at
        it.
        """
        is_play = not self.card_play_events or isinstance(event, self.card_play_events)
        return (use for use in collect_card_uses(event) if use.how != "played" or is_play)

"""What sets off the texts that cards in play wait with (MK-27.1).

Such a text is noted with what is put off and comes at the next moment at which players may act.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from referee.cardscript.language.delayed import DelayedText, mask_delayed_text
from referee.engine.codec import named
from referee.engine.events import Event, replace_fields
from referee.games.munchkin.components import CURSES, FACES, PLAYS, RIDES, TOWNSHIP
from referee.games.munchkin.events.combat import MonstersKilled
from referee.games.munchkin.events.course import LevelsGained, LevelsLost, PlayerDied, TurnBegan
from referee.games.munchkin.rules.cards.texts import build_text_execution

if TYPE_CHECKING:
    from referee.games.munchkin.state import Table

NOW = "now"  # when a text comes that was set off: as soon as what is under way is done


@named("mk.TriggerNoted")
@dataclass(frozen=True)
class TriggerNoted(Event):
    """A text of a card in play was set off, and comes as soon as it can (MK-27.1)."""

    card: str
    seat: int
    delayed: DelayedText
    clauses: ClassVar[tuple[str, ...]] = ("MK-27.1",)

    def apply(self, state: Any) -> Any:
        return replace_fields(state, later=(*state.later, self.delayed))

    def view_for(self, seat: int) -> Event:
        return replace_fields(self, delayed=mask_delayed_text(self.delayed, seat))


def find_happening(event: Event) -> tuple[str, int, str] | None:
    """Return what an event is for cards that wait: its word, the player, and how."""
    match event:
        case LevelsLost(seat=seat):
            return "level_lost", seat, ""
        case LevelsGained(seat=seat, card=card):
            kind = FACES[card].kind if card in FACES else ""
            return "level_gained", seat, "kill" if kind == "monster" else "card" if kind else "sale"
        case MonstersKilled(seat=seat):
            return "monster_killed", seat, ""
        case PlayerDied(seat=seat):
            return "died", seat, ""
        case TurnBegan(seat=seat):
            return "turn_starts", seat, ""
    return None


def collect_triggers(table: Table, event: Event) -> Iterator[Event]:
    """Yield the texts that an event sets off, from the player on turn clockwise.

    MK-27.1: A card in play may wait for something to happen, and its text then comes once what is under way is done.
    """
    if not table.boxes.awaited_events or (happening := find_happening(event)) is None:
        return
    word, whose, how = happening
    if word not in table.boxes.awaited_events:
        return
    for owner in table.seats_clockwise_from(max(table.turn, 0)):
        for card in _list_waiting_cards(table, owner):
            for trigger in FACES[card].triggers:
                concerns = trigger.by == "anyone" or (trigger.by == "me") == (whose == owner)
                if trigger.event == word and concerns and (not trigger.how or how in trigger.how):
                    text = build_text_execution(table, card, trigger.text, owner)
                    text = replace_fields(text, bound={**text.bound, "player": (whose,)})
                    yield TriggerNoted(card, owner, DelayedText(NOW, text))


def _list_waiting_cards(table: Table, seat: int) -> Iterator[str]:
    """Yield a player's cards in play that may wait for something; items only in use."""
    for place in (PLAYS[seat], TOWNSHIP[seat], RIDES[seat], CURSES[seat]):
        for card in table.open_cards_at(place):
            if FACES[card].triggers and (place != PLAYS[seat] or card in table.equipped):
                yield card

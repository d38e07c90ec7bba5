"""Draw the tables of Creature Crush."""

from __future__ import annotations

from typing import Any

from referee.engine.parts.boards import BoardPile
from referee.engine.rulings import Undetermined
from referee.games.creature_crush.board.running import RunningBoards
from referee.games.creature_crush.board.shapes import (
    CreatureCrushBoard,
    CreatureCrushChange,
    CreatureCrushCreature,
    CreatureCrushCrushPlace,
    CreatureCrushDelayed,
    CreatureCrushFieldPlace,
    CreatureCrushSeat,
    CreatureCrushSource,
    Keyword,
    Mark,
)
from referee.games.creature_crush.card_attributes import SWITCH_ABILITIES
from referee.games.creature_crush.components import (
    CRUSH_PLACES,
    DECKS,
    DRAFTS,
    FIELD_PLACES,
    FLIPPED,
    HELLS,
    POOL,
    SEAT_BY_PLACE,
    SEATS,
    SOUGHT,
    column_of,
    face_of,
    strip_copy_number,
)
from referee.games.creature_crush.rules.actions.actions import actions_left
from referee.games.creature_crush.rules.combat.damage import Strike
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import NOBODY, DelayedEffect, LastingChange


class CreatureCrushBoards(RunningBoards):
    """Draws the tables of Creature Crush."""

    shape = CreatureCrushBoard
    has_copies = False

    def draw(self, view: Table, viewer: int, variant: str) -> CreatureCrushBoard:
        """Return the board of a view."""
        phase: Any = view.phase or None
        return {
            **self.draw_middle(view, variant, ()),
            "piles": [self.draw_deck(view, POOL)] if view.turn == NOBODY and POOL in view.zones else [],
            "game": "creature_crush",
            "phase": phase,
            "seats": [self.draw_player(view, seat) for seat in SEATS],
            "dice": {"left": list(view.dice), "burned": view.burned},
            "draw_offered_by": None if view.offered == NOBODY else view.offered,
            "later": [self.draw_delayed(each) for each in view.later],
            "quiet_turns": view.quiet,
            "most_quiet_turns": view.rules.quiet_turns,
            "running": self.draw_running(view),
        }

    def draw_delayed(self, delayed: DelayedEffect) -> CreatureCrushDelayed:
        """Return what a card text has put off."""
        when: Any = delayed.when
        return {"card": self.draw_card(delayed.effect.card), "seat": delayed.effect.by, "when": when}

    def draw_deck(self, view: Table, place: str) -> BoardPile:
        """Return a pile that the table holds from the top down."""
        pile = self.draw_pile(view, place)
        return {**pile, "cards": pile["cards"][::-1]}

    def draw_player(self, view: Table, seat: int) -> CreatureCrushSeat:
        """Return a player and the own board."""
        deck_list = view.lists.get(str(seat))
        return {
            **self.draw_seat(view, seat),
            "cards_left": count_cards_left(view, seat),
            "deck": self.draw_deck(view, DECKS[seat]),
            "hell": self.draw_pile(view, HELLS[seat]),
            "flipped": self.draw_used(view, FLIPPED[seat]),
            "sought": self.draw_used(view, SOUGHT[seat]),
            "draft": self.draw_used(view, DRAFTS[seat]),
            "deck_list": None if deck_list is None else [*map(strip_copy_number, deck_list)],
            "field": [self.draw_field_place(view, place) for place in FIELD_PLACES[seat]],
            "crush": [self.draw_crush_place(view, place) for place in CRUSH_PLACES[seat]],
            "extra_dice": view.extra[seat],
            "crush_change": view.crush_change_of(seat),
        }

    def draw_used(self, view: Table, place: str) -> BoardPile | None:
        """Return a place where cards lie only now and then, or None if none do."""
        return self.draw_pile(view, place) if view.zones.get(place) else None

    # ---- the places of a board ---------------------------------------------------------------------------------------

    def draw_crush_place(self, view: Table, place: str) -> CreatureCrushCrushPlace:
        """Return a place for a crush card."""
        card = view.card_at(place)
        return {
            "place": place,
            "name": place[:2],
            "column": column_of(place),
            "card": self.draw_card(card, place) if card else None,
            "dice": view.paid.get(place) if card else None,
        }

    def draw_field_place(self, view: Table, place: str) -> CreatureCrushFieldPlace:
        """Return a place for a creature."""
        row: Any = place[0]
        card = view.card_at(place)
        return {
            "place": place,
            "name": place[:2],
            "row": row,
            "column": column_of(place),
            "creature": self.draw_creature(view, card, place) if card else None,
        }

    def draw_creature(self, view: Table, creature: str, place: str) -> CreatureCrushCreature:
        """Return a creature on the field, with all that holds for it now."""
        face, drawn = face_of(creature), self.draw_card(creature, place)
        totals = find_ability_totals(view, creature)
        left = count_actions_left(view, creature, place)
        return {
            "id": drawn["id"],
            "card": drawn["card"],
            "name": drawn["name"],
            "back": drawn["back"],
            "marks": find_marks(view, creature, left),
            "cost": face.cost if totals is None else view.pips_to_pay(SEAT_BY_PLACE[place], creature),
            "attack": None if totals is None else view.attack_points(creature),
            "printed_attack": face.attack,
            "armor": None if totals is None else view.armor_points(creature),
            "life": face.life,
            "damage": view.damage.get(creature, 0),
            "life_left": view.life_left(creature),
            "keywords": None if totals is None else find_keywords(face.keywords, totals),
            "changes": [self.draw_change(change) for change in view.lasting.get(creature, ())],
            "actions_left": left,
        }

    def draw_change(self, change: LastingChange) -> CreatureCrushChange:
        """Return what an effect has changed of a creature."""
        stat: Any = change.stat
        by = strip_copy_number(change.by)
        source: CreatureCrushSource = {"card": by, "name": self.game.rulebook.names.get(by)}
        until = int(change.until_turn_of) if change.until_turn_of else None
        return {
            "stat": stat,
            "amount": change.amount,
            "is_this_turn": change.this_turn,
            "until_turn_of": until,
            "by": source,
        }


def count_cards_left(view: Table, seat: int) -> int | None:
    """Count the cards of a player that are not in hell, or return None."""
    try:
        return view.count_left_in_play(seat)
    except Undetermined:
        return None


def find_ability_totals(view: Table, creature: str) -> dict[str, int] | None:
    """Return the sums of what a creature is given, or None if nobody knows."""
    try:
        return view.ability_totals.get(creature, {})
    except Undetermined:
        return None


def count_actions_left(view: Table, creature: str, place: str) -> int | None:
    """Count the actions that a creature has left in this turn, or return None."""
    if SEAT_BY_PLACE[place] != view.turn:
        return 0
    try:
        return max(0, actions_left(view, creature))
    except Undetermined:
        return None


def find_marks(view: Table, creature: str, left: int | None) -> list[Mark]:
    """Return what is true of a creature just now."""
    strike = next((step for step in reversed(view.agenda) if isinstance(step, Strike)), None)
    marks: dict[Mark, bool] = {
        "entered": creature in view.entered,
        "acted": view.acted.get(creature, 0) > 0,
        "may_act": bool(left),
        "borrowed": creature in view.borrowed,
        "attacks": strike is not None and strike.creature == creature,
        "attacked": strike is not None and strike.target == creature,
    }
    return [mark for mark, is_true in marks.items() if is_true]


def find_keywords(printed: tuple[str, ...], totals: dict[str, int]) -> list[Keyword]:
    """Return the keywords that a creature has, by its card or by others."""
    found: list[Any] = [word for word in SWITCH_ABILITIES if word in printed or totals.get(word, 0) > 0]
    return found

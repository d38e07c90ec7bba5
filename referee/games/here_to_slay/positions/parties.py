"""Parties in a position: heroes, each with what it carries."""

from __future__ import annotations

from typing import Any

from referee.cardscript.table import UNCOUNTED_CARDS
from referee.engine.positions.rows import Field, Found, Position
from referee.engine.positions.shapes import (
    OMITTED,
    Member,
    Shape,
    open_cards_shape,
    optional_shape,
    record_shape,
)
from referee.engine.zones import Cards
from referee.games.here_to_slay.components import PARTIES
from referee.games.here_to_slay.positions.shapes import UNKNOWN_CARDS, CardShapes
from referee.games.here_to_slay.state import item_place_of

Party = tuple[tuple[str, Cards], ...]  # the heroes, each with what it carries
UNKNOWN_PARTY: Party = ((UNCOUNTED_CARDS, ()),)


class PartyField(Field):
    """The heroes of a party. Their items lie in zones of their own."""

    def read_into(self, found: Found, position: Position) -> None:
        """Enter the heroes and their items as zones."""
        zones, party = found["zones"], position[self.name]
        zones[PARTIES[position.seat or 0]] = tuple(hero for hero, _ in party if hero)
        for hero, carried in party:
            zones[item_place_of(hero)] = (*zones.get(item_place_of(hero), ()), *carried)

    def find_value(self, state: Any, seat: int | None = None) -> Party:
        """Return the heroes of a party on a table, each with what it carries."""
        return tuple((hero, state.cards_at(item_place_of(hero))) for hero in state.cards_at(PARTIES[seat or 0]))


def build_party_shape(cards: CardShapes) -> Shape:
    """Return the shape of a party."""
    with_item = record_shape(
        dict,
        Member("hero", cards.hero, "The hero."),
        Member("item", optional_shape(cards.item), "Its item; null for none."),
        says="A hero and what it carries.",
    )
    says = "A hero: just its name if it carries nothing, or an object. {hero} without item: it is unknown."
    hero = {"description": says, "anyOf": [cards.hero.schema, with_item.schema]}
    return Shape(open_cards_shape(hero, len(cards.hero.schema["enum"])).schema, read_party, write_party)


def read_party(written: Any, _position: Any) -> Party:
    """Return the heroes of a written party."""
    known = written if isinstance(written, dict) else {"cards": written}
    heroes = tuple(_read_hero(each) for each in known.get("cards", ()))
    return heroes + UNKNOWN_PARTY if known.get("more") else heroes


def _read_hero(written: Any) -> tuple[str, Cards]:
    """Return a hero and what it carries.

    A hero that is left out has no name, which is a contradiction.
    """
    if isinstance(written, str):
        return written, ()
    item = written.get("item", UNCOUNTED_CARDS)
    return written.get("hero", ""), () if item is None else (item,)


def write_party(party: Party) -> Any:
    """Return a party as a position writes it."""
    if party == UNKNOWN_PARTY:
        return OMITTED
    members = [_write_hero(hero, carried) for hero, carried in party if hero != UNCOUNTED_CARDS]
    return {"cards": members, "more": True} if len(members) < len(party) else members


def _write_hero(hero: str, carried: Cards) -> Any:
    if not carried:
        return hero
    return {"hero": hero} if carried == UNKNOWN_CARDS else {"hero": hero, "item": carried[0]}

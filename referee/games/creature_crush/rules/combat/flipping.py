"""Flipping crush cards: which may be turned up when, and what that activates.

One predicate (`check_flip`) for the own combat phase (`happening` is None) and for response windows. Clauses:
CC-CRUSH-FLIP-1 to CC-CRUSH-FLIP-3, CC-CRUSH-2, CC-CHAIN-4, CC-AMB-15, CC-AMB-15-R2,
CC-AMB-16, CC-AMB-23.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from referee.cardscript.hidden_cards import can_name, gone_from, namable
from referee.cardscript.language.interpreter import CarryOut
from referee.engine.events import Event
from referee.engine.rulings import Refused
from referee.engine.zones import is_back
from referee.games.creature_crush.card_attributes import Face, X
from referee.games.creature_crush.components import CRUSHES, FLIPPED, HELLS, SEATS, Rules, box, face
from referee.games.creature_crush.derived import holds
from referee.games.creature_crush.events.cards import CrushFlipped
from referee.games.creature_crush.moves import Flip
from referee.games.creature_crush.rules.actions.paying import may_cost
from referee.games.creature_crush.rules.triggers import effect
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import Happening


def fits(event: str, seat: int, happening: Happening | None) -> bool:
    """Whether what has happened is the event that a crush card of this player waits for."""
    if happening is None:
        return False
    kind, mine = happening.kind, happening.by == seat
    match event:
        case "enemy_attacks":
            return kind == "attack" and not mine
        case "ally_attacks":
            return kind == "attack" and mine
        case "enemy_attacks_directly":
            return kind == "direct_attack" and not mine
        case "ally_destroyed":
            return kind == "destroyed" and f"victim/{seat}" in happening.refs
        case "enemy_summoned":
            return kind == "placed" and not mine
        case "opponent_flips":
            return kind == "flipped" and not mine
    raise ValueError(f"no such event: {event}")


def may_come(table: Table, seat: int, printed: Face, happening: Happening | None) -> bool:
    """Whether a crush card with this face may be flipped by a player now, as far as all can see."""
    when = printed.flips_when
    if when is None:
        return happening is None and table.turn == seat and table.phase == "combat"
    refs = named_in(happening, seat)
    if when.event:
        return fits(when.event, seat, happening) and holds(table, when.that, seat, bound=_values(refs))
    if (happening is None) != (table.turn == seat):
        return False  # the own combat phase with no chain open, or a window in the turn of the opponent (CC-AMB-16)
    return holds(table, when.that, seat)


def could_flip(table: Table, seat: int, happening: Happening) -> bool:
    """Whether a player is asked in this window: from what everybody can see alone.

    A crush card lies face down there, and one that fits may be it: it costs as many dice, and lies open nowhere else.
    """
    places = table.crush_places(seat)
    if not places:
        return False
    seen = {card for other in SEATS for place in (HELLS[other], FLIPPED[other]) for card in table.place(place)}
    paid = set(map(table.dice_paid, places))
    return any(
        card not in seen
        and any(may_cost(table, printed.cost, dice) for dice in paid)
        and may_come(table, seat, printed, happening)
        for card, printed in crush_cards(table.rules, seat).items()
    )


def crush_cards(rules: Rules, seat: int) -> Mapping[str, Face]:
    """Every crush card that a player may have laid, with its face: they never change sides (CC-AMB-7)."""
    return _crush_cards(rules.variant, rules.edition, seat)


@lru_cache(256)
def _crush_cards(variant: str, edition: str, seat: int) -> Mapping[str, Face]:
    cards = box(Rules(variant=variant, edition=edition))
    mine = (card for card in cards if variant != "league" or card.endswith(f"#{seat + 1}"))
    return {card: face(card) for card in mine if not face(card).is_creature}


def flippable(table: Table, seat: int, happening: Happening | None) -> Iterable[Flip]:
    """Of the seat's view: the flips to think of, near misses among them."""
    for place in CRUSHES[seat]:
        there = table.at(place)
        if not there:
            continue
        names = (there,) if not is_back(there) else _possible(table, seat, place, happening)
        for card in names:
            yield from (Flip(place[:2], card, about) for about in _abouts(card, seat, happening))


def _possible(table: Table, seat: int, place: str, happening: Happening | None) -> Iterator[str]:
    mine = crush_cards(table.rules, seat)
    return (
        card
        for card in namable(table, place)
        if card in mine
        and may_cost(table, mine[card].cost, table.dice_paid(place))
        and may_come(table, seat, mine[card], happening)
    )


def _abouts(card: str, seat: int, happening: Happening | None) -> tuple[str, ...]:
    when = face(card).flips_when
    if when is None or when.event != "ally_destroyed" or happening is None:
        return ("",)
    victims = happening.refs.get(f"victim/{seat}", ())
    return victims if len(victims) > 1 else ("",)


def place_of(seat: int, short: str) -> str:
    """The C-place of a player that a move names shortly (`C2`). Raises Refused."""
    for place in CRUSHES[seat]:
        if place[:2] == short:
            return place
    raise Refused("no_such_place", "CC-ZONE-1", place=short)


def check_flip(table: Table, seat: int, move: Flip, happening: Happening | None) -> None:
    """Raises Refused unless this player may flip this card now; `happening`: what the open window answers."""
    place = place_of(seat, move.place)
    if not table.at(place):
        raise Refused("nothing_there", "CC-CRUSH-FLIP-1", place=place)
    printed = crush_cards(table.rules, seat).get(move.card)
    if printed is None or not can_name(table, place, move.card):
        raise Refused("another_card_lies_there", "CC-CRUSH-FLIP-1", place=place, card=move.card)
    if is_back(table.at(place)) and not may_cost(table, printed.cost, table.dice_paid(place)):
        clauses = ("CC-CRUSH-1", "CC-AMB-15") if printed.cost == X else ("CC-CRUSH-1",)
        raise Refused("paid_otherwise", *clauses, card=move.card, count=table.dice_paid(place))
    when = printed.flips_when
    if not may_come(table, seat, printed, happening):
        if when is None:
            raise Refused("only_in_own_combat", "CC-CRUSH-FLIP-2", card=move.card)
        if not when.event and holds(table, when.that, seat):
            raise Refused("not_in_this_window", "CC-AMB-16", card=move.card)
        raise Refused("prerequisite_not_met", "CC-CRUSH-FLIP-3", card=move.card)
    abouts = _abouts(move.card, seat, happening)
    if move.about not in abouts:
        raise Refused("say_about_whom" if len(abouts) > 1 else "about_nobody", "CC-EFF-TARGET-1", card=move.card)


def named_in(happening: Happening | None, seat: int, about: str = "") -> dict[str, str]:
    """Whom a text may speak of, by what has happened: attacker, defender, victim, summoned, flipped."""
    if happening is None:
        return {}
    refs = {name: cards[0] for name, cards in happening.refs.items() if "/" not in name}
    victims = happening.refs.get(f"victim/{seat}", ())
    if victims:
        refs["victim"] = about or victims[0]
    return refs


def _values(refs: dict[str, str]) -> dict[str, tuple[str, ...]]:
    return {name: (card,) for name, card in refs.items()}


def turned_up(table: Table, seat: int, move: Flip, happening: Happening | None) -> tuple[CarryOut, Happening]:
    """The effect that a flip activates, and the event that it is."""
    dice = table.dice_paid(place_of(seat, move.place))
    link = effect(table, move.card, "flip", seat, named_in(happening, seat, move.about), x=dice)
    return link, Happening("flipped", seat, {"flipped": (move.card,)})


def face_up(table: Table, seat: int, move: Flip) -> Event:
    """The fact that a crush card was turned up."""
    place = place_of(seat, move.place)
    took = gone_from(table, place, (move.card,))
    return CrushFlipped(place, FLIPPED[seat], took, (move.card,), seat, move.card)

"""Flip crush cards: which may be turned up when, and what that activates.

One predicate (`check_flip`) serves the player's own combat phase (`happening` is None) and response windows. Clauses:
CC-CRUSH-FLIP-1 to CC-CRUSH-FLIP-3, CC-CRUSH-2, CC-CHAIN-4, CC-AMB-15, CC-AMB-15-R2, CC-AMB-16, CC-AMB-23.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from referee.cardscript.hidden_cards import can_name_card, cite_census, find_nameable_cards
from referee.cardscript.language.interpreter import Execution
from referee.engine.events import Event
from referee.engine.rulebook.book import Text
from referee.engine.rulebook.interpretations import FIRST_INTERPRETATION
from referee.engine.rulings import IllegalMove
from referee.engine.zones import find_cards_leaving, is_back
from referee.games.creature_crush.card_attributes import COST_X, Face
from referee.games.creature_crush.components import (
    BOOK,
    CRUSH_PLACES,
    FIELD_PLACES,
    FLIPPED,
    HANDS,
    HELLS,
    SEATS,
    Rules,
    face_of,
    find_box_cards,
)
from referee.games.creature_crush.conditions import Condition
from referee.games.creature_crush.derived import is_condition_met
from referee.games.creature_crush.events.cards import CrushFlipped
from referee.games.creature_crush.moves import Flip
from referee.games.creature_crush.rules.actions.paying import could_lie_at
from referee.games.creature_crush.rules.activating import activate_text, watch_flip
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import TriggerEvent


def matches_flip_event(event: str, seat: int, happening: TriggerEvent | None) -> bool:
    """Return whether a player's crush card waits for what has happened."""
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


def may_flip_face(table: Table, seat: int, printed: Face, happening: TriggerEvent | None) -> bool:
    """Return whether a player may flip a crush card with this face now.

    It uses only what everybody can see.

    CC-CRUSH-FLIP-2: A crush card without a prerequisite is flipped in the player's own combat phase, never in the
        opponent's turn.
    CC-CRUSH-FLIP-3: A crush card with a prerequisite is flipped only when that is met.
    CC-AMB-16: If the prerequisite is a state without an event, it is flipped in the player's own combat phase while no
        chain is open, and in the opponent's turn in any window.
    CC-AMB-16-R2: In the player's own turn it is flipped in the combat phase only.
    """
    when = printed.flips_when
    if when is None:
        return happening is None and table.turn == seat and table.phase == "combat"
    refs = find_named_cards(happening, seat)
    if when.event:
        if is_barred_in_own_turn(table, seat):
            return False
        return matches_flip_event(when.event, seat, happening) and is_condition_met(
            table, when.that, seat, bound=_to_values(refs)
        )
    if (happening is None) != (table.turn == seat):
        return False  # the player's combat phase with no chain open, or a window in the opponent's turn (CC-AMB-16)
    return is_condition_met(table, when.that, seat)


def is_barred_in_own_turn(table: Table, seat: int) -> bool:
    """Return whether no crush card is flipped in this phase of the own turn.

    CC-AMB-16-R2: In the player's own turn a crush card is flipped in the combat phase only.
    """
    other_phase = table.turn == seat and table.phase != "combat"
    return other_phase and table.interpretation_number("CC-AMB-16") != FIRST_INTERPRETATION


def may_flip_any(table: Table, seat: int, happening: TriggerEvent) -> bool:
    """Return whether a player is asked in this window.

    It uses only what everybody can see. The player must have a face-down crush card that could be one that fits: it
    costs as many dice as were paid, and lies open nowhere else.
    """
    places = table.list_crush_places(seat)
    if not places:
        return False
    seen = {card for other in SEATS for place in (HELLS[other], FLIPPED[other]) for card in table.cards_at(place)}
    fitting = dict[int, bool]()
    for card, printed in find_crush_cards(table.rules, seat).items():
        cost = printed.cost
        if cost not in fitting:
            fitting[cost] = any(could_lie_at(table, place, cost) for place in places)
        if fitting[cost] and card not in seen and may_flip_face(table, seat, printed, happening):
            return True
    return False


def find_crush_cards(rules: Rules, seat: int) -> Mapping[str, Face]:
    """Return every crush card that a player may have laid, with its face.

    CC-AMB-7: In League each player builds from a full set of all cards. Crush cards never change sides.
    """
    return _find_crush_cards(rules.variant, rules.edition, seat)


@lru_cache(256)
def _find_crush_cards(variant: str, edition: str, seat: int) -> Mapping[str, Face]:
    cards = find_box_cards(Rules(variant=variant, edition=edition))
    mine = (card for card in cards if variant != "league" or card.endswith(f"#{seat + 1}"))
    return {card: face_of(card) for card in mine if not face_of(card).is_creature}


def list_flips(table: Table, seat: int, happening: TriggerEvent | None) -> Iterable[Flip]:
    """Yield the flips that a player may think of in the seat's view.

    Near misses are included.
    """
    for place in CRUSH_PLACES[seat]:
        there = table.card_at(place)
        if not there:
            continue
        names = (there,) if not is_back(there) else _list_possible_cards(table, seat, place, happening)
        for card in names:
            yield from (Flip(place[:2], card, about) for about in _list_abouts(card, seat, happening))


def _list_possible_cards(table: Table, seat: int, place: str, happening: TriggerEvent | None) -> Iterator[str]:
    mine = find_crush_cards(table.rules, seat)
    return (
        card
        for card in find_nameable_cards(table, place)
        if card in mine
        and could_lie_at(table, place, mine[card].cost)
        and may_flip_face(table, seat, mine[card], happening)
    )


def _list_abouts(card: str, seat: int, happening: TriggerEvent | None) -> tuple[str, ...]:
    when = face_of(card).flips_when
    if when is None or when.event != "ally_destroyed" or happening is None:
        return ("",)
    victims = happening.refs.get(f"victim/{seat}", ())
    return victims if len(victims) > 1 else ("",)


def require_crush_place(seat: int, short: str, *clauses: str) -> str:
    """Return the C-place of a player that a move names shortly (`C2`).

    Raises IllegalMove if it is none, citing `clauses` also.
    """
    for place in CRUSH_PLACES[seat]:
        if place[:2] == short:
            return place
    on_field = any(short == place[:2] for place in FIELD_PLACES[seat])
    raise IllegalMove("place_of_creatures" if on_field else "no_such_place", "CC-ZONE-1", *clauses, place=short)


def check_flip(table: Table, seat: int, move: Flip, happening: TriggerEvent | None) -> None:
    """Check that this player may flip this card now. Raises IllegalMove if not.

    `happening` is what the open window answers, None in the player's own combat phase.
    """
    printed = require_flippable_card(table, seat, move)
    check_prerequisite(table, seat, move.card, printed, happening)
    abouts = _list_abouts(move.card, seat, happening)
    if move.about not in abouts:
        raise IllegalMove("say_about_whom" if len(abouts) > 1 else "about_nobody", "CC-EFF-TARGET-1", card=move.card)


def require_flippable_card(table: Table, seat: int, move: Flip) -> Face:
    """Return the face of the crush card that a move turns up.

    Raises IllegalMove if it cannot be the card that lies there.

    CC-CRUSH-1: A crush card is first laid face down on a C-place.
    CC-AMB-16: A card is flipped only once.
    """
    place = require_crush_place(seat, move.place)
    if not is_back(move.card) and not can_name_card(table, place, move.card):
        if move.card in table.cards_at(FLIPPED[seat]):
            raise IllegalMove("flipped_already", "CC-AMB-16", card=move.card)
        if move.card in table.cards_at(HANDS[seat]):
            raise IllegalMove("lay_it_first", "CC-CRUSH-1", card=move.card)
    if not table.card_at(place):
        raise IllegalMove("nothing_there", "CC-CRUSH-FLIP-1", place=place)
    printed = find_crush_cards(table.rules, seat).get(move.card)
    if printed is None or not can_name_card(table, place, move.card):
        elsewhere = () if printed is None else cite_census(table, place)
        raise IllegalMove("another_card_lies_there", "CC-CRUSH-FLIP-1", *elsewhere, place=place, card=move.card)
    if is_back(table.card_at(place)) and not could_lie_at(table, place, printed.cost):
        more = ("CC-AMB-15",) if printed.cost == COST_X else ()
        cost = "x" if printed.cost == COST_X else printed.cost
        paid = table.dice_paid_for(place)
        raise IllegalMove("paid_otherwise", "CC-CRUSH-1", *more, card=move.card, count=paid, printed=cost)
    return printed


def check_prerequisite(table: Table, seat: int, card: str, printed: Face, happening: TriggerEvent | None) -> None:
    """Check that what stands before the word Flip is met.

    Raises IllegalMove if it is not.
    """
    if may_flip_face(table, seat, printed, happening):
        return
    when = printed.flips_when
    if when is None:
        raise IllegalMove("only_in_own_combat", "CC-CRUSH-FLIP-2", card=card)
    if when.event and not matches_flip_event(when.event, seat, happening):
        raise IllegalMove("waits_for_event", "CC-CRUSH-FLIP-3", card=card, event=when.event)
    if when.event and is_barred_in_own_turn(table, seat):
        raise IllegalMove("own_combat_only", "CC-AMB-16", card=card)
    if not when.event and is_condition_met(table, when.that, seat):
        raise IllegalMove("not_in_this_window", "CC-AMB-16", card=card)
    raise IllegalMove("prerequisite_not_met", "CC-CRUSH-FLIP-3", card=card, condition=describe_condition(when.that))


def describe_condition(condition: Condition | None) -> Text:
    """Return a condition in words, after `when`."""
    word = getattr(condition, "word", "")
    if condition is None or not BOOK.has_text(f"condition.{word}"):
        return BOOK.render_texts("condition.any")
    return BOOK.render_texts(f"condition.{word}", of=condition.of, count=condition.number)


def find_named_cards(happening: TriggerEvent | None, seat: int, about: str = "") -> dict[str, str]:
    """Return the cards that a text may use by name, from what has happened.

    The names are attacker, defender, victim, summoned and flipped.
    """
    if happening is None:
        return {}
    refs = {name: cards[0] for name, cards in happening.refs.items() if "/" not in name}
    victims = happening.refs.get(f"victim/{seat}", ())
    if victims:
        refs["victim"] = about or victims[0]
    return refs


def _to_values(refs: dict[str, str]) -> dict[str, tuple[str, ...]]:
    return {name: (card,) for name, card in refs.items()}


def build_flip_effect(
    table: Table, seat: int, move: Flip, happening: TriggerEvent | None
) -> tuple[Execution, TriggerEvent]:
    """Return the effect that a flip activates, and the trigger event of the flip.

    The event carries what creatures on the field do at a flip.
    """
    dice = table.dice_paid_for(require_crush_place(seat, move.place))
    link = activate_text(table, move.card, "flip", seat, find_named_cards(happening, seat, move.about), x=dice)
    return link, TriggerEvent("flipped", seat, {"flipped": (move.card,)}, watch_flip(table, move.card, seat))


def build_flip_event(table: Table, seat: int, move: Flip) -> Event:
    """Build the event that a crush card was turned up."""
    place = require_crush_place(seat, move.place)
    took = find_cards_leaving(table, place, (move.card,))
    return CrushFlipped(place, FLIPPED[seat], took, (move.card,), seat, move.card)

"""Whether a card can be announced at all, and whether its play can be challenged.

Clauses: HTS-PLAY-2 to HTS-PLAY-4, HTS-CHAL-5.
HTS-PLAY-2: Announcing puts the card in the open. Then its point is paid, and the others may challenge.
HTS-PLAY-3: Announcing names the card and no more.
"""

from __future__ import annotations

from referee.cardscript.hidden_cards import can_name_card, cite_census
from referee.engine.rulings import IllegalMove
from referee.games.here_to_slay.components import FACES, HANDS, PROGRAMS, is_kind
from referee.games.here_to_slay.state import Table

PLAYED_KINDS = ("hero", "item", "cursed_item", "magic")  # HTS-PLAY-1: the action of playing is for these kinds alone


def could_announce(table: Table, seat: int, card: str) -> bool:
    """Return whether a card could be announced if it were in the hand.

    HTS-PLAY-4: Heroes and magic may always be announced, an item only while some hero on the table carries none.
    """
    face = FACES.get(card)
    if face is None or face.kind not in PLAYED_KINDS:
        return False
    if is_kind(card, "item"):
        return bool(find_item_hosts(table, seat, card))
    return not is_unpayable(table, seat, card)


def find_item_hosts(table: Table, seat: int, item: str) -> tuple[str, ...]:
    """Return the heroes under which a player may put an item. Raises Undetermined.

    HTS-ITEM-4: Good or cursed, an item may go to any hero that carries none, whichever party that hero is in.
    HTS-AMB-32: If `good_items_at_home` is true, a good item may only go to a hero of the player's own party.
    """
    return tuple(
        hero
        for owner, hero in table.iterate_heroes()
        if table.item_of(hero) is None and not is_barred_abroad(table, seat, item, owner)
    )


def check_item_host(table: Table, seat: int, item: str, hero: str) -> None:
    """Raise IllegalMove unless a player may put an item under this hero.

    HTS-ITEM-2: Only heroes carry items.
    HTS-ITEM-3: A hero carries one item at most.
    """
    owner = table.controller_of(hero)
    if owner is None:
        raise IllegalMove("no_such_hero", "HTS-ITEM-2", card=hero)
    if (carried := table.item_of(hero)) is not None:
        raise IllegalMove("carries_an_item", "HTS-ITEM-3", card=hero, item=carried)
    if is_barred_abroad(table, seat, item, owner):
        raise IllegalMove("good_items_stay_at_home", "HTS-AMB-32", "HTS-ITEM-4", card=item, hero=hero, seat=owner)


def is_barred_abroad(table: Table, seat: int, item: str, owner: int) -> bool:
    """Return whether the match bars this item from another player's heroes.

    HTS-AMB-32: If `good_items_at_home` is true, a good item may only go to a hero of the player's own party.
    """
    return table.rules.good_items_at_home and owner != seat and FACES[item].kind == "item"


def check_announcement(table: Table, seat: int, card: str) -> None:
    """Raise IllegalMove unless the card is in that hand and may be announced now.

    HTS-PLAY-1: Only heroes, items and magic are played as an action: in the player's own turn, from the player's own
        hand, for a point each.
    HTS-PLAY-4: Heroes and magic may always be announced, an item only while some hero on the table carries none.
    """
    face = FACES.get(card)
    if face is None or card not in table.rules.boxes.main:
        raise IllegalMove("no_such_card", "HTS-PLAY-1", card=card)
    if not can_name_card(table, HANDS[seat], card):
        raise IllegalMove("not_in_the_hand", "HTS-PLAY-1", *cite_census(table, HANDS[seat]), seat=seat, card=card)
    if face.kind not in PLAYED_KINDS:
        raise IllegalMove("never_an_action", "HTS-PLAY-1", "HTS-ACT-11", card=card, kind=face.kind)
    if is_kind(card, "item") and not find_item_hosts(table, seat, card):
        if any(table.item_of(hero) is None for _, hero in table.iterate_heroes()):
            raise IllegalMove("no_free_hero_at_home", "HTS-AMB-32", "HTS-PLAY-4", card=card)
        raise IllegalMove("no_free_hero", "HTS-PLAY-4", "HTS-ITEM-3", "HTS-AMB-32", card=card)
    if is_unpayable(table, seat, card):
        held = table.count_cards_at(HANDS[seat]) - 1
        raise IllegalMove("cost_cannot_be_paid", "HTS-AMB-45", card=card, cost=find_price(card), held=held)


def is_unpayable(table: Table, seat: int, card: str) -> bool:
    """Return whether this card is barred because its cost cannot be paid.

    HTS-AMB-45: If `unpayable_play` is `forbid`, magic may not be played if its cost in cards cannot be paid.
    """
    if table.rules.unpayable_play != "forbid" or FACES[card].kind != "magic":
        return False
    return lacks_price(table, seat, card)


def lacks_price(table: Table, seat: int, card: str) -> bool:
    """Return whether a hand is too small for the cost of this magic card.

    The card itself does not count. Raises Undetermined.
    """
    price = find_price(card)
    return price > 0 and table.count_cards_at(HANDS[seat]) - 1 < price


def find_price(card: str) -> int:
    """Return how many hand cards a card costs beside itself."""
    costs = [line.effect.count for line in PROGRAMS[card, "does"] if line.effect.WORD == "pay"]  # type: ignore[attr-defined]
    return costs[0] if costs else 0


def is_challengeable(table: Table, seat: int, card: str, immediate: bool) -> bool:
    """Return whether a challenge of this play is allowed, from public knowledge alone."""
    try:
        check_challengeable(table, seat, card, immediate)
    except IllegalMove:
        return False
    return True


def check_challengeable(table: Table, seat: int, card: str, immediate: bool) -> None:
    """Raise IllegalMove if everybody can see that this play cannot be challenged.

    HTS-CHAL-5: Nobody is asked where everyone can see that a challenge is barred: by Iron Resolve, for items of
        Warworn Owlbear's owner, for a card played outside the player's own turn, and for immediate plays if the match
        exempts them.
    HTS-AMB-4: What is played immediately can be challenged, unless `challenge_immediate` is false.
    HTS-AMB-5: A play outside the player's own turn cannot be challenged, unless `challenge_out_of_turn` is true.
    """
    by = table.find_challenge_protection(seat, FACES[card].kind)
    if by is not None:
        raise IllegalMove("play_is_protected", "HTS-DO-33", "HTS-CHAL-5", card=card, by=by, seat=seat)
    if immediate and not table.rules.challenge_immediate:
        raise IllegalMove("immediate_play_is_exempt", "HTS-AMB-4", "HTS-CHAL-5", card=card)
    if seat != table.active and not table.rules.challenge_out_of_turn:
        raise IllegalMove("played_out_of_turn", "HTS-AMB-5", "HTS-CHAL-5", card=card, seat=seat)

"""What people report of a free text: true of the real cards, or something that no table can be."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.evenings.physical_table import DECK, DISCARD, MONSTERS, PhysicalTable

Changes = list[dict[str, Any]]


@dataclass(frozen=True)
class Reporter:
    """A seat that carries out a text at a physical table."""

    real: PhysicalTable
    kinds: dict[str, str]
    dice: random.Random
    seat: int
    seats: int
    on_turn: bool

    @property
    def hand(self) -> str:
        return f"hand:{self.seat}"

    def pick(self, cards: list[str], *kinds: str) -> str | None:
        """A card of these, if there is one of these kinds."""
        found = [card for card in cards if not kinds or self.kinds[card] in kinds]
        return self.dice.choice(found) if found else None

    def other(self) -> int:
        """Another seat."""
        return self.dice.choice([seat for seat in range(self.seats) if seat != self.seat])

    def carry(self, card: str | None, source: str, target: str, **more: Any) -> Changes:
        """A card goes from one place to another; nothing if there is none."""
        return [] if card is None else [{"move": card, "source": source, "target": target, **more}]

    def heroes(self, seat: int) -> list[str]:
        return self.real.lying_at(f"party/{seat}")

    def item_under(self, hero: str) -> Changes:
        """The item of a hero goes to the discards."""
        return self.carry(self.pick(self.real.lying_at(f"under/{hero}")), f"under/{hero}", DISCARD)


def draw(by: Reporter) -> Changes:
    return [{"draw": by.dice.randint(1, 3), "seat": by.dice.randrange(by.seats)}]


def discard(by: Reporter) -> Changes:
    return by.carry(by.pick(by.real.hand_of(by.seat)), by.hand, DISCARD)


def make_another_discard(by: Reporter) -> Changes:
    other = by.other()
    return by.carry(by.pick(by.real.hand_of(other)), f"hand:{other}", DISCARD)


def make_all_others_discard(by: Reporter) -> Changes:
    others = [seat for seat in range(by.seats) if seat != by.seat]
    return [each for seat in others for each in by.carry(by.pick(by.real.hand_of(seat)), f"hand:{seat}", DISCARD)]


def pull(by: Reporter) -> Changes:
    other = by.other()
    return by.carry("?" if by.real.hand_of(other) else None, f"hand:{other}", by.hand)


def look_and_take(by: Reporter) -> Changes:
    other = by.other()
    return by.carry(by.pick(by.real.hand_of(other)), f"hand:{other}", by.hand)


def give(by: Reporter) -> Changes:
    return by.carry(by.pick(by.real.hand_of(by.seat)), by.hand, f"hand:{by.other()}")


def swap_hands(by: Reporter) -> Changes:
    other = by.other()
    mine, theirs = by.real.hand_of(by.seat), by.real.hand_of(other)
    return [
        *(each for card in mine for each in by.carry(card, by.hand, f"hand:{other}")),
        *(each for card in theirs for each in by.carry(card, f"hand:{other}", by.hand)),
    ]


def destroy(by: Reporter) -> Changes:
    other = by.other()
    hero = by.pick(by.heroes(other))
    return [*by.item_under(hero), *by.carry(hero, f"party/{other}", DISCARD)] if hero else []


def sacrifice(by: Reporter) -> Changes:
    hero = by.pick(by.heroes(by.seat))
    return [*by.item_under(hero), *by.carry(hero, f"party/{by.seat}", DISCARD)] if hero else []


def steal(by: Reporter) -> Changes:
    other = by.other()
    return by.carry(by.pick(by.heroes(other)), f"party/{other}", f"party/{by.seat}")


def pick_up(by: Reporter) -> Changes:
    return by.carry(by.pick(by.real.lying_at(DISCARD)), DISCARD, by.hand)


def turn_up_and_discard(by: Reporter) -> Changes:
    return by.carry(next(iter(by.real.lying_at(DECK)), None), DECK, DISCARD)


def search_deck(by: Reporter) -> Changes:
    return by.carry(by.pick(by.real.lying_at(DECK)), DECK, by.hand)


def give_unseen_top(by: Reporter) -> Changes:
    return by.carry("?" if by.real.lying_at(DECK) else None, DECK, f"hand:{by.dice.randrange(by.seats)}")


def put_on_top(by: Reporter) -> Changes:
    return by.carry(by.pick(by.real.hand_of(by.seat)), by.hand, DECK, top=True)


def put_at_bottom(by: Reporter) -> Changes:
    return by.carry(by.pick(by.real.hand_of(by.seat)), by.hand, DECK)


def put_on_top_and_draw_it(by: Reporter) -> Changes:
    put = put_on_top(by)
    return [*put, {"draw": 1, "seat": by.other()}] if put else []


def play_hero_at_once(by: Reporter) -> Changes:
    return by.carry(by.pick(by.real.hand_of(by.seat), "hero"), by.hand, f"party/{by.seat}")


def equip_at_once(by: Reporter) -> Changes:
    bare = [hero for seat in range(by.seats) for hero in by.heroes(seat) if not by.real.lying_at(f"under/{hero}")]
    hero = by.pick(bare)
    return by.carry(by.pick(by.real.hand_of(by.seat), "item", "cursed_item"), by.hand, f"under/{hero}") if hero else []


def return_item(by: Reporter) -> Changes:
    worn = [
        (seat, hero) for seat in range(by.seats) for hero in by.heroes(seat) if by.real.lying_at(f"under/{hero}")
    ]  # fmt: skip
    if not worn:
        return []
    seat, hero = by.dice.choice(worn)
    return by.carry(by.real.lying_at(f"under/{hero}")[0], f"under/{hero}", f"hand:{seat}")


def shuffle_discards_in(by: Reporter) -> Changes:
    lying = by.real.lying_at(DISCARD)
    return [] if len(lying) > 20 else [each for card in lying for each in by.carry(card, DISCARD, DECK)]


def exchange_monster(by: Reporter) -> Changes:
    row, deck = by.real.lying_at("row"), by.real.lying_at(MONSTERS)
    return [*by.carry(by.pick(row), "row", MONSTERS), *by.carry(deck[0], MONSTERS, "row")] if row and deck else []


def set_points(by: Reporter) -> Changes:
    return [{"set": "/points", "to": by.dice.randint(0, 3)}] if by.on_turn else []


def nothing(_: Reporter) -> Changes:
    return []


TRUE: tuple[Callable[[Reporter], Changes], ...] = (
    nothing, draw, draw, discard, make_another_discard, make_all_others_discard, pull, look_and_take, give, swap_hands,
    destroy, sacrifice, steal, pick_up, turn_up_and_discard, search_deck, give_unseen_top, put_on_top, put_at_bottom,
    put_on_top_and_draw_it, play_hero_at_once, equip_at_once, return_item, shuffle_discards_in, exchange_monster,
    set_points,
)  # fmt: skip


def list_impossible(by: Reporter) -> dict[str, Changes]:
    """What no table can be, by the reason with which it has to be refused; some of it only now and then."""
    found: dict[str, Changes] = {
        "no_such_change": [{"draw": 1, "seat": by.seats}],
        "no_such_draw": [{"draw": 1, "seat": by.seat, "source": MONSTERS}],
        "no_open_value": [{"set": "/zones/discard/0", "to": "nothing"}],
        "impossible_report": [{"set": "/points", "to": 100}],
        "no_place_for_card": by.carry(by.pick(by.real.hand_of(by.seat)), by.hand, "pocket"),
        "nameless_card_laid_down": by.carry("?" if by.real.lying_at(DECK) else None, DECK, DISCARD),
        "unseen_card_there": by.carry("?" if by.real.lying_at(DECK) else None, DECK, f"party/{by.seat}"),
    }
    lying = [card for card in by.real.lying_openly() if card in by.real.singles]
    if lying and by.real.hand_of(by.seat):
        drawn = {"draw": 1, "seat": by.seat}
        found["not_drawn_yet"] = [drawn, *by.carry(by.pick(by.real.hand_of(by.seat)), by.hand, DISCARD)]
        found["no_such_card_there"] = by.carry(by.dice.choice(sorted(lying)), by.hand, DISCARD)
    return {reason: changes for reason, changes in found.items() if changes}

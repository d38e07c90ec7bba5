"""What an item in use prevents, or is given up for: levels that are not lost, a life that is spared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from referee.engine.rulebook.editions import CardBookError
from referee.games.books import check_book_text
from referee.games.munchkin import components
from referee.games.munchkin.card_attributes import Face, StaticAbility
from referee.games.munchkin.components import TREASURE_DISCARD
from referee.games.munchkin.conditions import Condition
from referee.games.munchkin.events.course import LevelsLost, PlayerDied
from referee.games.munchkin.events.texts import EffectLapsed
from tests.games.munchkin.own_box import write_book
from tests.games.munchkin.wording import at_rest, of, said, table, unsaid  # noqa: F401

LOSE, DIE = {"do": "lose_levels", "count": 2}, {"do": "die"}
IN_BAD_STUFF: dict[str, Any] = {"text": "bad_stuff", "kind": "monster"}


@pytest.fixture(autouse=True)
def ledgers() -> Iterator[None]:
    """Items that keep levels from bad stuff, and two that spare a life, the cheaper one only of players with a ride."""
    spares = StaticAbility("spares")
    cards = {
        "ledger": Face("ledger", "item", slot="armor", gold=600,
                       standing=(StaticAbility("keeps_levels", cause="bad_stuff"),)),
        "locket": Face("locket", "item", slot="none", gold=300, standing=(spares,)),
        "scarf": Face("scarf", "item", slot="none", gold=100,
                      standing=(StaticAbility("spares", when=Condition("has_ride")),)),
    }  # fmt: skip
    components.FACES.add_from_book(cards)
    yield
    for card in cards:
        components.FACES.pop(card)


@pytest.mark.clause("MK-3.1", "MK-18.1")
def test_levels_are_kept_from_the_cause_that_the_card_names_while_it_is_used() -> None:
    owner = table(plays={0: ("ledger",)})
    events, state = said(owner, LOSE, **IN_BAD_STUFF)
    assert ([event.what for event in of(events, EffectLapsed)], state.levels[0]) == (["kept_levels"], 3)
    for other, how in ((owner, {"kind": "curse"}), (owner, {}), (table(plays={0: ("ledger",)}, used=()), IN_BAD_STUFF)):
        events, state = said(other, LOSE, **how)
        assert (len(of(events, LevelsLost)), state.levels[0]) == (1, 1)
    _, state = said(owner, {**LOSE, "who": "everyone"}, **IN_BAD_STUFF)
    assert state.levels == (3, 1, 1)


@pytest.mark.clause("MK-3.1", "MK-18.3")
def test_an_item_is_given_up_in_place_of_a_life_and_the_text_goes_on() -> None:
    events, state = said(table(plays={0: ("bat_hat", "locket")}), DIE, LOSE, **IN_BAD_STUFF)
    assert [event.what for event in of(events, EffectLapsed)] == ["spared"]
    assert not of(events, PlayerDied)
    assert (state.items_of(0), state.cards_at(TREASURE_DISCARD)) == (("bat_hat",), ("locket",))
    assert (state.levels[0], at_rest(state)) == (1, True)
    events, state = said(table(plays={0: ("locket",)}, used=()), DIE, **IN_BAD_STUFF)
    assert [event.seat for event in of(events, PlayerDied)] == [0]


def test_of_several_the_cheapest_goes_whose_condition_holds() -> None:
    plays = {0: ("locket", "scarf")}
    _, state = said(table(plays=plays), DIE, **IN_BAD_STUFF)
    assert state.items_of(0) == ("scarf",)
    _, state = said(table(plays=plays, rides={0: ("ride_broom",)}), DIE, **IN_BAD_STUFF)
    assert state.items_of(0) == ("locket",)


@pytest.mark.parametrize(
    ("kind", "standing", "says"),
    [
        ("ride", {"spares": True}, "only an item can be given up in place of a life, not a card of kind ride"),
        ("ride", {"keeps_levels": "monsters"}, "unknown keeps_levels 'monsters'"),
        ("ride", {"keeps_levels": True}, "unknown keeps_levels 'True'"),
    ],
)
def test_what_cannot_be_prevented_is_refused(kind: str, standing: dict[str, Any], says: str) -> None:
    card = {"id": "wrong", "kind": kind, "name": "Wrong", "text": "Wrong.", "when": "calm", "standing": [standing]}
    with pytest.raises(CardBookError) as error:
        check_book_text(write_book("wrong", [card], extends="printed"))
    assert says in str(error.value)

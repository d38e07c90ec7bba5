"""The rulings on challenges, HTS-AMB-1 to HTS-AMB-11, with the settings that switch them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from referee.cardscript.moves import Accept, ChooseCard, Decline
from referee.engine.events import Event
from referee.games.here_to_slay.components import DISCARD, PENDING
from referee.games.here_to_slay.events.cards import CardDiscarded, CardDrawn
from referee.games.here_to_slay.events.plays import (
    DiceRolled,
    HeroEntered,
    PlayAnnounced,
    PlayLost,
    RollSettled,
)
from referee.games.here_to_slay.moves import (
    Challenge,
    DrawOne,
    EndTurn,
    Modify,
    Pass,
    PlayCard,
    RollFor,
)
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.values import LastingEffect
from tests.games.course import asked, of, refusal, then, times_out, when
from tests.games.here_to_slay.given import dice, offered, passes, rolls, shuffled, table, with_deck

QUIET = {0: "the_shadow_claw", 1: "the_divine_arrow", 2: "the_cloaked_sage"}
HIGHER, TIED, LOWER = (1, 1, 6, 6), (3, 3, 3, 3), (6, 6, 1, 1)  # the challenger's dice first


def challenged(card: str, *hands: list[str], by: int = 1, **more: Any) -> Table:
    """Seat 0 plays a card, and `by` challenges it; the dice are not thrown yet."""
    state = table([card, *hands[0]], *hands[1:], **{"leaders": QUIET, **more})
    return then(then(state, 0, PlayCard(card)), by, Challenge())


def totals(events: tuple[Event, ...]) -> dict[str, int]:
    """The totals that were settled, by the kind of roll."""
    return {event.kind: event.total for event in of(events, RollSettled)}


@pytest.mark.clause("HTS-AMB-1")
def test_with_a_clock_the_play_waits_no_longer_than_that() -> None:
    state = table(["peanut"], ["challenge"], ["fluffy"], leaders=QUIET, rules={"window_ms": 5000})
    state = then(then(state, 0, PlayCard("peanut")), 2, Pass())
    assert state.agenda[-1].time_limit(state) == 5000
    events, state = times_out(state)
    assert len(of(events, HeroEntered)) == 1
    state = then(table(["peanut"], ["challenge"], leaders=QUIET), 0, PlayCard("peanut"))
    assert state.agenda[-1].time_limit(state) is None


@pytest.mark.clause("HTS-AMB-3")
def test_the_pending_cards_of_a_challenge_are_not_shuffled_into_a_new_deck() -> None:
    state = table(
        ["peanut"], ["challenge", "modifier_plus_4"], slain={1: ["crowned_serpent"]}, discard=["fluffy"], leaders=QUIET
    )
    state = then(then(with_deck(state), 0, PlayCard("peanut")), 1, Challenge())
    _, state = dice(state, *TIED)
    state = then(state, 1, Modify("modifier_plus_4", 4, 1), Accept())
    _, state = shuffled(state, "modifier_plus_4", "fluffy")
    assert state.cards_in_hand(1) == ("modifier_plus_4",)
    assert set(state.cards_at(PENDING)) == {"challenge", "peanut"}


def played_at_once(hand: list[str], rules: Mapping[str, Any], lasting: tuple[LastingEffect, ...] = ()) -> Table:
    """Seat 0 has drawn Peanut with Mellow Dee, and plays it at once."""
    state = table([], hand, parties={0: ["mellow_dee"]}, deck=["peanut"], leaders=QUIET, rules=rules, lasting=lasting)
    _, state = dice(then(state, 0, RollFor("mellow_dee")), 4, 4)
    return then(passes(state)[1], 0, ChooseCard("peanut"))


@pytest.mark.clause("HTS-AMB-4", "HTS-CHAL-5")
def test_a_card_played_at_once_in_the_own_turn_can_be_challenged() -> None:
    state = played_at_once(["challenge"], {})
    assert asked(state) == {1}
    events, state = dice(then(state, 1, Challenge()), *LOWER)
    assert len(of(events, PlayLost)) == 1
    assert state.points == 2  # the play itself cost nothing


@pytest.mark.clause("HTS-AMB-4", "HTS-CHAL-5")
def test_a_card_played_at_once_cannot_be_challenged_where_that_is_agreed() -> None:
    state = played_at_once(["challenge"], {"challenge_immediate": False})
    assert asked(state) == {0}
    assert state.party_of(0) == ("mellow_dee", "peanut")
    state = then(table(["peanut"], ["challenge"], leaders=QUIET, rules={"challenge_immediate": False}), 0,
                 PlayCard("peanut"))  # fmt: skip
    assert asked(state) == {1}  # an ordinary play still can


@pytest.mark.clause("HTS-AMB-7")
def test_iron_resolve_covers_plays_at_once_too_until_the_turn_ends() -> None:
    lasting = (LastingEffect("iron_resolve", 0, "no_challenge", "own_turn_end"),)
    state = played_at_once(["challenge"], {}, lasting)
    assert asked(state) == {0}
    state = then(then(then(state, 0, Decline()), 0, EndTurn()), 1, EndTurn())
    assert state.lasting == ()


@pytest.mark.clause("HTS-AMB-7")
def test_the_play_of_iron_resolve_itself_can_be_challenged_and_what_follows_its_success_not() -> None:
    state = table(["iron_resolve", "peanut"], ["challenge"], leaders=QUIET)
    state = then(state, 0, PlayCard("iron_resolve"))
    assert asked(state) == {1}
    _, state = rolls(then(then(state, 1, Pass()), 0, Accept()), 4, 4)
    assert asked(then(state, 0, PlayCard("peanut"))) == {0}


def played_out_of_turn(rules: Mapping[str, Any]) -> Table:
    """In the turn of seat 0, seat 1 has drawn magic by its Serpent and plays it by its Orthus."""
    state = table(
        ["challenge"], ["modifier_plus_4"], ["challenge"], parties={0: ["napping_nibbles"]}, leaders=QUIET,
        slain={1: ["crowned_serpent", "orthus"]}, deck=["enchanted_spell"], rules=rules,
    )  # fmt: skip
    _, state = dice(then(state, 0, RollFor("napping_nibbles")), 3, 3)
    return then(state, 1, Modify("modifier_plus_4", 4, 0), Accept(), ChooseCard("enchanted_spell"))


@pytest.mark.clause("HTS-AMB-5", "HTS-CHAL-5")
def test_a_play_outside_the_own_turn_cannot_be_challenged() -> None:
    state = played_out_of_turn({})
    assert [each.seat for each in state.lasting] == [1]
    assert refusal(state, 0, Challenge()).reason == "modifiers_are_not_challenged"


@pytest.mark.clause("HTS-AMB-5", "HTS-CHAL-5")
def test_a_play_outside_the_own_turn_can_be_challenged_by_all_others_where_that_is_agreed() -> None:
    state = played_out_of_turn({"challenge_out_of_turn": True})
    assert state.lasting == ()
    assert asked(state) == {0, 2}
    events, state = dice(then(state, 0, Challenge()), *LOWER)
    assert [event.seat for event in of(events, DiceRolled)] == [0, 1]
    events, state = when(state, 2, Pass())
    assert [event.put for event in of(events, PlayLost)] == [("enchanted_spell",)]
    assert asked(state) == {2}  # the window beneath is open again


@pytest.mark.clause("HTS-AMB-6")
@pytest.mark.parametrize("card", ["really_big_ring", "winds_of_change"])
def test_only_the_card_is_announced_and_its_hero_or_target_chosen_once_it_stands(card: str) -> None:
    state = table(
        [card], ["challenge"], leaders=QUIET, parties={0: ["peanut", ("bun_bun", "bard_mask")], 1: ["fluffy",
        ("spooky", "thief_mask")]},
    )  # fmt: skip
    events, state = when(state, 0, PlayCard(card))
    assert [(event.put, event.seat) for event in of(events, PlayAnnounced)] == [((card,), 0)]
    assert asked(state) == {1}
    _, state = when(state, 1, Pass())
    chosen = {move.card for move in offered(state, 0) if isinstance(move, ChooseCard)}
    assert chosen == ({"peanut", "fluffy"} if card == "really_big_ring" else {"bun_bun", "spooky"})


@pytest.mark.clause("HTS-AMB-8")
@pytest.mark.parametrize("pips", [HIGHER, LOWER])
def test_bloodwing_takes_one_card_for_each_challenge_and_none_from_an_empty_hand(pips: tuple[int, ...]) -> None:
    state = challenged("peanut", [], ["challenge", "fluffy"], slain={0: ["bloodwing"]})
    assert state.cards_in_hand(1) == ()  # the only card goes at once
    assert state.cards_at(DISCARD) == ("fluffy",)
    events, state = dice(challenged("peanut", [], ["challenge"], slain={0: ["bloodwing"]}), *pips)
    assert of(events, CardDiscarded) == []


@pytest.mark.clause("HTS-AMB-8")
def test_bloodwing_of_the_challenger_or_of_a_third_player_does_nothing() -> None:
    for owner in (1, 2):
        state = challenged("peanut", [], ["challenge", "fluffy"], ["spooky"], slain={owner: ["bloodwing"]})
        assert (state.cards_in_hand(1), state.cards_in_hand(2), state.cards_at(DISCARD)) == (
            ("fluffy",),
            ("spooky",),
            (),
        )


@pytest.mark.clause("HTS-AMB-9")
@pytest.mark.parametrize(("agreed", "plus"), [(False, 0), (True, 2)])
def test_the_fist_helps_the_challenger_and_the_challenged_only_where_that_is_agreed(agreed: bool, plus: int) -> None:
    rules = {"fist_when_challenged": agreed}
    for owner in (0, 1):
        leaders = {0: "the_shadow_claw", 1: "the_shadow_claw", owner: "the_fist_of_reason"}
        events, _ = dice(challenged("peanut", [], ["challenge"], leaders=leaders, rules=rules), *TIED)
        assert totals(events) == {"challenger": 6 + 2 * (owner == 1), "challenged": 6 + plus * (owner == 0)}


@pytest.mark.clause("HTS-AMB-9")
@pytest.mark.parametrize("owner", [0, 1])
def test_the_wyvern_helps_on_both_sides(owner: int) -> None:
    events, _ = dice(challenged("peanut", [], ["challenge"], slain={owner: ["titan_wyvern"]}), *TIED)
    assert totals(events) == {"challenger": 6 + (owner == 1), "challenged": 6 + (owner == 0)}


@pytest.mark.clause("HTS-AMB-10", "HTS-PLAY-5")
def test_magic_lost_to_a_challenge_was_not_played_for_the_sage() -> None:
    leaders = {0: "the_cloaked_sage", 1: "the_divine_arrow"}
    _, state = dice(challenged("enchanted_spell", [], ["challenge"], leaders=leaders), *LOWER)
    assert DrawOne() in offered(state, 0)  # no offer, the turn goes on
    assert state.lasting == ()
    _, state = dice(challenged("enchanted_spell", [], ["challenge"], leaders=leaders), *HIGHER)
    assert offered(state, 0) == [Decline(), Accept()]


@pytest.mark.clause("HTS-AMB-10")
@pytest.mark.parametrize(("hero", "hand", "deck", "drawn"), [
    ("snowball", [], ["enchanted_spell"], 1), ("hook", ["really_big_ring"], [], 1),
])  # fmt: skip
def test_snowball_draws_no_second_card_after_a_lost_play_but_hook_draws_its_card(
    hero: str, hand: list[str], deck: list[str], drawn: int
) -> None:
    state = table(hand, ["challenge"], parties={0: [hero]}, deck=deck, leaders=QUIET)
    events, state = dice(then(state, 0, RollFor(hero)), 4, 4)
    events, state = passes(state)
    more, state = when(state, 0, ChooseCard((hand + deck)[0]))
    last, state = dice(then(state, 1, Challenge()), *LOWER)
    assert len(of(events + more + last, PlayLost)) == 1
    assert len(of(events + more + last, CardDrawn)) == drawn


@pytest.mark.clause("HTS-AMB-11")
def test_a_card_that_comes_back_to_the_hand_can_be_challenged_again() -> None:
    state = challenged("peanut", [], ["challenge", "challenge"], parties={0: ["guiding_light"]})
    _, state = passes(dice(state, *LOWER)[1])
    assert "peanut" in state.cards_at(DISCARD)
    _, state = rolls(then(state, 0, RollFor("guiding_light")), 4, 4)
    assert state.cards_in_hand(0) == ("peanut",)
    state = then(state, 0, PlayCard("peanut"))
    assert Challenge() in offered(state, 1)

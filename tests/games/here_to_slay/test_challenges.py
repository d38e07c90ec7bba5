"""Challenges: what can be challenged by whom, the roll-off, and where the cards go."""

from __future__ import annotations

from typing import Any

import pytest

from referee.cardscript.moves import Accept, ChooseCards, ChoosePlayer, Decline
from referee.engine.events import Event
from referee.games.here_to_slay.components import DISCARD, PENDING
from referee.games.here_to_slay.events.cards import CardDiscarded
from referee.games.here_to_slay.events.heroes import HeroDestroyed
from referee.games.here_to_slay.events.plays import (
    ChallengeDeclared,
    DiceRolled,
    ItemEquipped,
    PlayLost,
    PlayStood,
    RollSettled,
)
from referee.games.here_to_slay.events.turns import LastingEffectBegan, PointsSpent
from referee.games.here_to_slay.moves import (
    Attack,
    Challenge,
    DrawOne,
    Modify,
    Pass,
    PlayCard,
    RedrawHand,
    RollFor,
    UseLeader,
)
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.values import LastingEffect
from tests.games.course import asked, of, refusal, then, when
from tests.games.here_to_slay.given import dice, names, offered, passes, table

QUIET = {0: "the_shadow_claw", 1: "the_divine_arrow", 2: "the_cloaked_sage"}
HIGHER, TIED, LOWER = (1, 1, 6, 6), (3, 3, 3, 3), (6, 6, 1, 1)  # the challenger's dice first


def challenged(card: str, *hands: list[str], by: int = 1, **more: Any) -> Table:
    """Seat 0 plays a card, and `by` challenges it; the dice are not thrown yet."""
    state = table([card, *hands[0]], *hands[1:], **{"leaders": QUIET, **more})
    return then(then(state, 0, PlayCard(card)), by, Challenge())


def totals(events: tuple[Event, ...]) -> dict[str, int]:
    """The totals that were settled, by the kind of roll."""
    return {event.kind: event.total for event in of(events, RollSettled)}


# ---- what can be challenged, and the window ------------------------------------------------------------------


@pytest.mark.clause("HTS-CHAL-1")
@pytest.mark.parametrize("card", ["peanut", "really_big_ring", "sealing_key", "enchanted_spell"])
def test_heroes_items_and_magic_can_be_challenged_for_nothing(card: str) -> None:
    state = table([card], ["challenge"], parties={0: ["fluffy"]}, leaders=QUIET)
    state = then(state, 0, PlayCard(card))
    assert Challenge() in offered(state, 1)
    events, state = when(state, 1, Challenge())
    assert [(event.seat, event.of) for event in of(events, ChallengeDeclared)] == [(1, 0)]
    assert of(events, PointsSpent) == []


@pytest.mark.clause("HTS-CHAL-1")
def test_a_challenge_needs_a_challenge_card() -> None:
    state = then(table(["peanut"], ["modifier_plus_4", "fluffy"], leaders=QUIET), 0, PlayCard("peanut"))
    assert refusal(state, 1, Challenge()).reason == "no_challenge_held"
    assert refusal(state, 1, Modify("modifier_plus_4", 4, 0)).reason == "no_dice_lie_there"
    assert offered(state, 1) == [Pass()]


@pytest.mark.clause("HTS-CHAL-2")
@pytest.mark.parametrize("kind", ["turn", "roll", "attack", "draw", "claw", "effect", "redraw"])
def test_nothing_but_a_played_card_can_be_challenged(kind: str) -> None:
    state = table(
        ["spooky", "hopper"], ["challenge", "challenge"], ["fluffy", "challenge"],
        parties={0: ["heavy_bear"]}, row=["dracos"], leaders=QUIET,
    )  # fmt: skip
    match kind:
        case "roll":
            state = then(state, 0, RollFor("heavy_bear"))
        case "attack":
            _, state = dice(then(state, 0, Attack("dracos")), 3, 3)
        case "draw":
            state = then(state, 0, DrawOne())
        case "claw":
            state = then(state, 0, UseLeader())
        case "redraw":
            state = then(state, 0, RedrawHand())
        case "effect":
            _, state = dice(then(state, 0, RollFor("heavy_bear")), 3, 3)
            _, state = passes(then(state, 0, ChoosePlayer(1)))
    for seat in (1, 2):
        assert refusal(state, seat, Challenge()).clauses[0] == "HTS-CHAL-2"
        assert Challenge() not in offered(state, seat)


@pytest.mark.clause("HTS-CHAL-2")
def test_a_challenge_cannot_be_challenged() -> None:
    state = challenged("peanut", [], ["challenge", "fluffy"], ["challenge"])
    assert refusal(state, 2, Challenge()).reason == "challenged_already"
    _, state = dice(state, *TIED)
    assert refusal(state, 2, Challenge()).reason == "challenged_already"
    assert refusal(state, 0, Challenge()).reason == "challenged_already"


@pytest.mark.clause("HTS-CHAL-3", "HTS-CHAL-4", "HTS-AMB-1")
def test_all_others_with_a_hand_are_asked_at_once_and_the_play_waits_for_every_pass() -> None:
    state = then(table(["peanut"], ["fluffy"], ["challenge"], [], ["spooky"]), 0, PlayCard("peanut"))
    assert asked(state) == {1, 2, 4}  # also those who hold no challenge; not the empty hand, not the player
    state = then(then(state, 4, Pass()), 2, Pass())
    assert state.party_of(0) == ()
    assert refusal(state, 2, Challenge()).reason == "passed_already"  # a pass is final
    events, state = when(state, 1, Pass())
    assert names(events) == ["PlayStood", "HeroEntered"]


@pytest.mark.clause("HTS-CHAL-5", "HTS-AMB-7")
@pytest.mark.parametrize(("seat", "asks"), [(0, set()), (1, {1})])
def test_iron_resolve_shuts_the_window_for_all_its_player_plays(seat: int, asks: set[int]) -> None:
    lasting = (LastingEffect("iron_resolve", seat, "no_challenge", "own_turn_end"),)
    for card in ("peanut", "really_big_ring", "enchanted_spell"):
        state = table([card], ["challenge"], parties={1: ["fluffy", "spooky"]}, leaders=QUIET, lasting=lasting)
        assert asked(then(state, 0, PlayCard(card))) & {1} == asks


@pytest.mark.clause("HTS-CHAL-5")
@pytest.mark.parametrize(
    ("card", "asks"), [("really_big_ring", {0}), ("sealing_key", {0}), ("peanut", {1}), ("enchanted_spell", {1})]
)
def test_the_items_of_the_owner_of_the_owlbear_cannot_be_challenged(card: str, asks: set[int]) -> None:
    state = table(
        [card], ["challenge"], parties={1: ["fluffy", "spooky"]}, slain={0: ["warworn_owlbear"]}, leaders=QUIET
    )
    assert asked(then(state, 0, PlayCard(card))) == asks


@pytest.mark.clause("HTS-CHAL-6", "HTS-AMB-2")
@pytest.mark.parametrize("pips", [HIGHER, LOWER])
def test_the_first_challenge_counts_and_no_other_follows_whatever_its_outcome(pips: tuple[int, ...]) -> None:
    state = challenged("peanut", [], ["challenge"], ["challenge"], by=2)
    assert (state.cards_in_hand(1), state.cards_in_hand(2)) == (("challenge",), ())
    assert refusal(state, 1, Challenge()).reason == "challenged_already"
    _, state = dice(state, *pips)
    assert refusal(state, 1, Challenge()).reason == "challenged_already"
    _, state = when(state, 1, Pass())
    stands = pips == HIGHER
    assert refusal(state, 1, Challenge()).reason == ("card_stands" if stands else "only_plays_are_challenged")
    assert state.cards_in_hand(1) == ("challenge",)


# ---- the roll-off --------------------------------------------------------------------------------------------


@pytest.mark.clause("HTS-CHAL-7", "HTS-AMB-8")
def test_card_bloodwing_both_dice_one_window_and_the_comparison_follow_each_other() -> None:
    state = table(["peanut"], ["challenge", "fluffy", "modifier_plus_4"], slain={0: ["bloodwing"]}, leaders=QUIET)
    events, state = when(then(state, 0, PlayCard("peanut")), 1, Challenge())
    assert names(events) == ["ChallengeDeclared"]
    assert asked(state) == {1}  # the card to discard is chosen before the dice
    assert refusal(state, 1, ChooseCards(("challenge",))).reason == "not_in_the_hand"
    events, state = when(state, 1, ChooseCards(("fluffy",)))
    assert [event.took for event in of(events, CardDiscarded)] == [("fluffy",)]
    events, state = dice(state, *TIED)
    assert [(event.kind, event.seat) for event in of(events, DiceRolled)] == [("challenger", 1), ("challenged", 0)]
    assert asked(state) == {1}
    events, state = when(state, 1, Pass())
    assert totals(events) == {"challenger": 6, "challenged": 6}


@pytest.mark.clause("HTS-CHAL-8", "HTS-CHAL-9", "HTS-PLAY-5")
@pytest.mark.parametrize(("pips", "stands"), [((3, 4, 3, 3), False), (TIED, False), ((3, 3, 3, 4), True)])
def test_the_challenger_wins_with_as_much_and_loses_with_less(pips: tuple[int, ...], stands: bool) -> None:
    events, state = dice(challenged("peanut", [], ["challenge"]), *pips)
    assert (len(of(events, PlayStood)), len(of(events, PlayLost))) == ((1, 0) if stands else (0, 1))
    assert state.party_of(0) == (("peanut",) if stands else ())
    assert state.points == 2  # spent in any case
    assert asked(state) == {0}
    assert offered(state, 0) == [Decline(), Accept()] if stands else DrawOne() in offered(state, 0)


@pytest.mark.clause("HTS-CHAL-9")
@pytest.mark.parametrize(
    ("card", "event"), [("really_big_ring", ItemEquipped), ("enchanted_spell", LastingEffectBegan)]
)
def test_a_card_that_holds_out_is_carried_out_as_intended(card: str, event: type[Event]) -> None:
    events, _ = dice(challenged(card, [], ["challenge"], parties={0: ["fluffy"]}), *HIGHER)
    assert len(of(events, event)) == 1


@pytest.mark.clause("HTS-CHAL-10", "HTS-AMB-3")
@pytest.mark.parametrize(("pips", "pile"), [(HIGHER, ("challenge",)), (LOWER, ("challenge", "peanut"))])
def test_the_challenge_card_goes_to_the_discard_pile_after_the_comparison_below_the_lost_card(
    pips: tuple[int, ...], pile: tuple[str, ...]
) -> None:
    state = challenged("peanut", [], ["challenge", "fluffy"])
    assert (state.cards_at(DISCARD), set(state.cards_at(PENDING))) == ((), {"challenge", "peanut"})
    _, state = dice(state, *pips)
    assert state.cards_at(DISCARD) == ()  # it works until the comparison
    _, state = when(state, 1, Pass())
    assert (state.cards_at(DISCARD), state.cards_at(PENDING)) == (pile, ())


@pytest.mark.clause("HTS-CHAL-8")
def test_the_only_hero_of_another_party_is_safe_from_magic_that_was_lost() -> None:
    state = challenged("destructive_spell", ["peanut"], ["challenge"], parties={1: ["fluffy"]})
    events, state = passes(dice(state, *LOWER)[1])
    assert of(events, HeroDestroyed) == []
    assert (state.cards_in_hand(0), state.cards_at(DISCARD)) == (("peanut",), ("challenge", "destructive_spell"))

"""The worked examples of the rules, by number: those about whole turns."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import ChooseCard, ChooseCards, Decline
from referee.games.here_to_slay.components import DECK, DISCARD
from referee.games.here_to_slay.events.plays import (
    ItemEquipped,
    PlayAnnounced,
)
from referee.games.here_to_slay.events.turns import GameWon, PointsSpent
from referee.games.here_to_slay.moves import (
    DrawOne,
    EndTurn,
    Pass,
    PlayCard,
    RedrawHand,
)
from tests.games.course import of, then, when
from tests.games.here_to_slay.given import names, offered, shuffled, stands, table, with_deck

FIVE_CLASSES = ["calming_voice", "bullseye", "kit_napper", "bun_bun", "snowball"]


@pytest.mark.clause(
    "HTS-ITEM-1", "HTS-ITEM-4", "HTS-ITEM-9", "HTS-LEAD-3", "HTS-WIN-2", "HTS-TURN-6", "HTS-TURN-8", "HTS-PLAY-3"
)
def test_example_10_a_mask_completes_six_classes() -> None:
    state = table(["bard_mask"], ["challenge"], leaders={0: "the_fist_of_reason"}, parties={0: FIVE_CLASSES}, points=1)
    events, state = stands(state, 0, PlayCard("bard_mask"))
    assert names(events) == ["PlayAnnounced", "PointsSpent", "PlayStood"]
    assert of(events, PointsSpent) == [PointsSpent(0, 1, 0)]
    on_a_thief = then(state, 0, ChooseCard("kit_napper"))
    events, state = when(state, 0, ChooseCard("snowball"))
    assert names(events) == ["ItemEquipped", "TurnEnded", "GameWon"]
    assert [(event.put, event.hero) for event in of(events, ItemEquipped)] == [(("bard_mask",), "snowball")]
    assert of(events, GameWon) == [GameWon(0, "six_classes")]
    assert (on_a_thief.winner, on_a_thief.turn, on_a_thief.points) == (-1, 1, 3)


@pytest.mark.clause("HTS-WIN-2", "HTS-WIN-3", "HTS-TURN-8")
def test_example_10_with_points_left_wins_only_when_the_turn_ends() -> None:
    state = table(["bard_mask"], ["challenge"], leaders={0: "the_fist_of_reason"}, parties={0: FIVE_CLASSES}, points=2)
    state = then(stands(state, 0, PlayCard("bard_mask"))[1], 0, ChooseCard("snowball"))
    assert (state.winner, state.points) == (-1, 1)
    kept = then(state, 0, DrawOne())
    assert (kept.winner, kept.way) == (0, "six_classes")
    assert then(state, 0, EndTurn()).winner == 0


@pytest.mark.clause("HTS-WIN-3")
def test_example_10_at_the_end_of_the_other_turn_wins_nothing() -> None:
    party = [*FIVE_CLASSES[:-1], ("snowball", "bard_mask")]
    state = table([], ["challenge"], leaders={0: "the_fist_of_reason"}, parties={0: party}, turn=1)
    events, state = when(state, 1, EndTurn())
    assert names(events) == ["TurnEnded", "TurnStarted"]
    assert state.winner == -1


@pytest.mark.clause(
    "HTS-ACT-5", "HTS-DECK-1", "HTS-DO-1", "HTS-DO-44", "HTS-TRIG-2", "HTS-TRIG-4", "HTS-TRIG-6", "HTS-MAGIC-1",
    "HTS-NOW-1", "HTS-AMB-52", "HTS-AMB-53", "HTS-AMB-64", "HTS-AMB-77",
)  # fmt: skip
def test_example_11_a_redraw_with_a_reshuffle_and_orthus_after_it() -> None:
    discard = ["bad_axe", "critical_boost", "bear_claw", "heavy_bear", "qi_bear", "buttons", "fluffy"]
    state = table(
        ["challenge", "modifier_plus_4"], ["hopper"], slain={0: ["orthus"]}, discard=discard,
        leaders={0: "the_fist_of_reason"},
    )  # fmt: skip
    events, state = when(with_deck(state, "peanut", "hook"), 0, RedrawHand())
    assert names(events) == [
        "PointsSpent", "CardDiscarded", "CardDiscarded", "CardDrawn", "CardDrawn", "DeckRenewed"
    ]  # fmt: skip
    assert of(events, PointsSpent) == [PointsSpent(0, 3, 0)]
    order = ("critical_boost", "bad_axe", "bear_claw", "heavy_bear", "qi_bear", "buttons", "fluffy", "challenge",
             "modifier_plus_4")  # fmt: skip
    events, state = shuffled(state, *order)
    assert [name for name in names(events) if name != "Reordered"] == ["CardDrawn"] * 3
    assert set(offered(state, 0)) == {Decline(), ChooseCard("critical_boost")}  # Orthus, over the five
    events, state = when(state, 0, ChooseCard("critical_boost"))
    assert names(events) == ["PlayAnnounced"]
    assert of(events, PlayAnnounced)[0].immediate
    events, state = when(state, 1, Pass())
    assert names(events) == ["PlayStood", "CardDrawn", "CardDrawn", "CardDrawn"]
    events, state = when(state, 0, ChooseCards(("hook",)))
    assert names(events)[-2:] == ["CardDiscarded", "MagicPlayed"]
    assert offered(state, 0) == [Decline()]  # Orthus, over the three
    events, state = when(state, 0, Decline())
    assert names(events) == []
    assert offered(state, 0) == [Decline()]  # Orthus, over what is left of the five
    events, state = when(state, 0, Decline())
    assert names(events) == ["TurnEnded", "TurnStarted"]
    assert len(state.cards_in_hand(0)) == 6
    assert len(state.cards_at(DECK)) == 3
    assert state.cards_at(DISCARD) == ("hook", "critical_boost")

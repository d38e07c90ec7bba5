"""The five kinds of modifier and the challenge: what each of them does, and when it does not."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import Accept, Decline
from referee.games.here_to_slay.components import DISCARD
from referee.games.here_to_slay.events.plays import HeroEntered, ModifierPlayed, PlayLost
from referee.games.here_to_slay.moves import Attack, Challenge, DrawOne, Modify, Pass, PlayCard, RollFor
from referee.games.here_to_slay.state import Table
from tests.games.course import asked, of, refusal, then, when
from tests.games.here_to_slay.given import challenged, dice, names, offered, passes, settlements, table

VALUES = [
    ("modifier_plus_4", 4), ("modifier_plus_3_minus_1", 3), ("modifier_plus_3_minus_1", -1),
    ("modifier_plus_2_minus_2", 2), ("modifier_plus_2_minus_2", -2), ("modifier_plus_1_minus_3", 1),
    ("modifier_plus_1_minus_3", -3), ("modifier_minus_4", -4),
]  # fmt: skip
SILENT = {0: "the_cloaked_sage", 1: "the_divine_arrow", 2: "the_shadow_claw"}


def thrown(*hands: list[str]) -> Table:
    """Seat 0 has rolled six for Napping Nibbles; whoever has a hand is asked for modifiers."""
    state = table(*hands, parties={0: ["napping_nibbles"]}, leaders=SILENT)
    return dice(then(state, 0, RollFor("napping_nibbles")), 3, 3)[1]


@pytest.mark.card(
    "modifier_plus_4", "modifier_plus_3_minus_1", "modifier_plus_2_minus_2", "modifier_plus_1_minus_3",
    "modifier_minus_4",
)  # fmt: skip
@pytest.mark.clause("HTS-MOD-1", "HTS-MOD-3", "HTS-MOD-10", "HTS-MOD-13", "HTS-DO-28")
@pytest.mark.parametrize(("card", "value"), VALUES)
def test_a_modifier_changes_the_own_or_a_foreign_roll_by_the_value_named(card: str, value: int) -> None:
    events, state = when(thrown([card], [], []), 0, Modify(card, value, 0))
    assert settlements(events)[0][0] == 6 + value
    assert state.cards_at(DISCARD) == (card,)
    events, state = when(thrown([], [], [card]), 2, Modify(card, value, 0))
    assert settlements(events)[0][0] == 6 + value
    assert state.points == 2  # it costs no point


@pytest.mark.card(
    "modifier_plus_4", "modifier_plus_3_minus_1", "modifier_plus_2_minus_2", "modifier_plus_1_minus_3",
    "modifier_minus_4",
)  # fmt: skip
@pytest.mark.clause("HTS-MOD-1", "HTS-MOD-9", "HTS-DO-28")
@pytest.mark.parametrize(("card", "value"), VALUES)
def test_a_modifier_changes_an_attack_and_either_roll_of_a_challenge(card: str, value: int) -> None:
    state = table([], [card], parties={0: ["hook"]}, row=["dracos"], leaders=SILENT)
    _, state = dice(then(state, 0, Attack("dracos")), 3, 4)
    events, _ = when(state, 1, Modify(card, value, 0))
    assert settlements(events)[0][0] == 7 + value
    for roller, totals in ((1, [7 + value, 6]), (0, [7, 6 + value])):
        state = table(["peanut", card], ["challenge"], leaders=SILENT)
        state = then(then(state, 0, PlayCard("peanut")), 1, Challenge())
        _, state = dice(state, 3, 4, 3, 3)
        events, _ = when(state, 0, Modify(card, value, roller))
        assert [total for total, _ in settlements(events)] == totals


@pytest.mark.card(
    "modifier_plus_4", "modifier_plus_3_minus_1", "modifier_plus_2_minus_2", "modifier_plus_1_minus_3",
    "modifier_minus_4",
)  # fmt: skip
@pytest.mark.clause("HTS-MOD-3", "HTS-MOD-5", "HTS-MOD-13")
@pytest.mark.parametrize("card", sorted({card for card, _ in VALUES}))
def test_a_modifier_does_not_give_a_value_it_does_not_show_nor_help_a_roll_that_is_not_there(card: str) -> None:
    state = thrown(["peanut"], [card], ["modifier_plus_4"])
    shown = [value for name, value in VALUES if name == card]
    for value in (-4, -3, -2, -1, 0, 1, 2, 3, 4):
        if value not in shown:
            assert refusal(state, 1, Modify(card, value, 0)).clauses == ("HTS-MOD-3", "HTS-MOD-13")
    assert refusal(state, 1, Modify(card, shown[0], 1)).clauses[0] == "HTS-MOD-2"
    assert set(offered(state, 1)) == {Pass(), *(Modify(card, value, 0) for value in shown)}


@pytest.mark.card(
    "modifier_plus_4", "modifier_plus_3_minus_1", "modifier_plus_2_minus_2", "modifier_plus_1_minus_3",
    "modifier_minus_4",
)  # fmt: skip
@pytest.mark.clause("HTS-PLAY-1", "HTS-ACT-11", "HTS-MOD-2", "HTS-MOD-11")
@pytest.mark.parametrize(("card", "value"), VALUES)
def test_a_modifier_is_not_played_as_an_action_nor_before_the_dice_nor_open_to_challenge(card: str, value: int) -> None:
    state = table([card], ["challenge"], parties={0: ["napping_nibbles"]}, leaders=SILENT)
    assert refusal(state, 0, PlayCard(card)).clauses == ("HTS-PLAY-1", "HTS-ACT-11")
    assert not refusal(state, 0, Modify(card, value, 0)).granted
    state = then(state, 0, RollFor("napping_nibbles"))
    assert not refusal(state, 0, Modify(card, value, 0)).granted
    _, state = dice(state, 3, 3)
    events, state = when(state, 0, Modify(card, value, 0))
    assert len(of(events, ModifierPlayed)) == 1
    assert offered(state, 1) == [Pass()]  # a challenge is no answer to it


# ---- Challenge -----------------------------------------------------------------------------------------------


@pytest.mark.card("challenge")
@pytest.mark.clause("HTS-DO-34", "HTS-CHAL-1", "HTS-CHAL-8", "HTS-CHAL-10", "HTS-PLAY-5")
@pytest.mark.parametrize("card", ["peanut", "bard_mask", "sealing_key", "enchanted_spell"])
@pytest.mark.parametrize("against", [(4, 4), (5, 5)])
def test_a_challenge_stops_a_card_by_a_higher_total_or_a_tie(card: str, against: tuple[int, int]) -> None:
    state = table([card], ["challenge"], parties={0: ["hook"]}, leaders=SILENT)
    events, state = challenged(state, 0, card, 1, against, (4, 4))
    assert len(of(events, PlayLost)) == 1
    assert state.cards_at(DISCARD) == ("challenge", card)
    assert (state.party_of(0), list(state.iterate_items()), state.lasting, state.points) == (("hook",), [], (), 2)


@pytest.mark.card("challenge")
@pytest.mark.clause("HTS-CHAL-9", "HTS-CHAL-10", "HTS-HERO-2")
def test_a_challenge_that_rolls_lower_does_not_stop_the_card() -> None:
    state = table(["peanut"], ["challenge"], leaders=SILENT)
    events, state = challenged(state, 0, "peanut", 1, (3, 4), (4, 4))
    assert names(events)[-3:] == ["ToDiscard", "PlayStood", "HeroEntered"]
    assert (state.party_of(0), state.cards_at(DISCARD)) == (("peanut",), ("challenge",))
    assert offered(state, 0) == [Decline(), Accept()]


@pytest.mark.card("challenge")
@pytest.mark.clause("HTS-CHAL-2", "HTS-ACT-10", "HTS-ACT-11")
def test_a_challenge_does_not_touch_rolls_attacks_draws_or_challenges_and_is_never_an_action() -> None:
    hands = (["challenge", "modifier_plus_4"], ["challenge"], ["challenge", "challenge"])
    state = table(*hands, parties={0: ["napping_nibbles"]}, row=["dracos"], leaders=SILENT)
    assert refusal(state, 0, PlayCard("challenge")).clauses == ("HTS-PLAY-1", "HTS-ACT-11")
    assert asked(then(state, 0, DrawOne())) == {0}
    for action in (RollFor("napping_nibbles"), Attack("dracos")):
        _, rolled = dice(then(state, 0, action), 3, 3)
        assert refusal(rolled, 1, Challenge()).clauses[:2] == ("HTS-CHAL-2", "HTS-ACT-10")
    played = table(["peanut"], *hands[1:], leaders=SILENT)
    _, played = dice(then(then(played, 0, PlayCard("peanut")), 1, Challenge()), 3, 3, 4, 4)
    assert refusal(played, 2, Challenge()).clauses[0] == "HTS-CHAL-6"  # one challenge a card


@pytest.mark.card("challenge")
@pytest.mark.clause("HTS-CHAL-1", "HTS-CHAL-3")
def test_a_challenge_is_not_for_the_own_card_nor_without_the_card_in_hand() -> None:
    state = then(table(["peanut", "challenge"], ["hook"], leaders=SILENT), 0, PlayCard("peanut"))
    assert refusal(state, 0, Challenge()).clauses[:2] == ("HTS-CHAL-1", "HTS-CHAL-3")
    assert refusal(state, 1, Challenge()).clauses == ("HTS-CHAL-1",)
    events, state = passes(state)
    assert len(of(events, HeroEntered)) == 1
    assert not refusal(state, 1, Challenge()).granted

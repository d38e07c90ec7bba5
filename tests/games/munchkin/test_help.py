"""Asking for help: whom, when, with which terms; counter-offers, helpers who were drafted, helpers who leave."""

from __future__ import annotations

import pytest

from referee.engine.events import replace_fields
from referee.engine.referee import build_view
from referee.engine.seats import Seat
from referee.games.munchkin.events.combat import HelperJoined, HelperLeft, HelpTermsClosed, HelpTermsProposed
from referee.games.munchkin.events.course import LevelsGained
from referee.games.munchkin.moves import (
    AcceptHelp,
    AskHelp,
    ClaimKill,
    CounterOffer,
    DeclineHelp,
    JoinByTag,
    KickDoor,
    Pass,
    PlayCard,
    RunAway,
    TakeBackRequest,
)
from referee.games.munchkin.strength import score_munchkins
from referee.games.munchkin.values import NOBODY, Deal
from tests.games.course import asked, of, settled, then, times_out, when
from tests.games.munchkin.combats import cursed, fighting, refused, strengths, when_all, won
from tests.games.munchkin.given import offered

# ---- MK-13.1 to MK-13.3: who is asked, and what can be said ---------------------------------------------------------


@pytest.mark.clause("MK-13.1")
def test_main_asks_one_after_the_other_until_one_accepts() -> None:
    state = then(fighting((), (), (), (), foes=("sally",)), 0, AskHelp(seat=2))
    assert asked(state) == {2}
    assert refused(state, 0, AskHelp(seat=1)) == ("terms_are_open", "MK-13.1")
    state = then(state, 2, DeclineHelp())
    assert asked(state) == {0}
    state = then(state, 0, AskHelp(seat=1))
    events, state = when(state, 1, AcceptHelp())
    assert of(events, HelperJoined) == [HelperJoined(1, Deal())]
    assert state.running_combat.helper == 1
    assert refused(state, 0, AskHelp(seat=3)) == ("has_a_helper", "MK-13.1")


@pytest.mark.clause("MK-13.1")
def test_only_main_asks_and_only_other_players_who_live() -> None:
    state = replace_fields(fighting((), (), (), foes=("sally",)), dead=(2,))
    assert refused(state, 1, AskHelp(seat=0)) == ("only_main_asks", "MK-13.1")
    assert refused(state, 0, AskHelp(seat=0)) == ("ask_another", "MK-13.1")
    assert refused(state, 0, AskHelp(seat=7)) == ("ask_another", "MK-13.1")
    assert refused(state, 0, AskHelp(seat=2)) == ("is_dead", "MK-19.7")
    assert {move.seat for move in offered(state, 0) if isinstance(move, AskHelp)} == {1}


@pytest.mark.clause("MK-13.1")
def test_a_request_can_be_taken_back_before_it_is_answered() -> None:
    state = then(fighting((), (), (), foes=("sally",)), 0, AskHelp(seat=1))
    assert TakeBackRequest() in offered(state, 0)
    events, state = when(state, 0, TakeBackRequest())
    assert of(events, HelpTermsClosed) == [HelpTermsClosed(0, "taken_back")]
    assert asked(state) == {0}
    assert refused(state, 0, TakeBackRequest()) == ("nothing_to_take_back", "MK-13.1")
    assert refused(state, 1, AcceptHelp()) == ("no_terms_for_you", "MK-13.2")
    assert AskHelp(seat=1) in offered(state, 0)  # nobody has declined


@pytest.mark.clause("MK-13.2")
def test_whoever_is_asked_accepts_declines_or_makes_a_counter_offer() -> None:
    state = then(fighting((), (), (), foes=("sally",)), 0, AskHelp(seat=1))
    kinds = {type(move) for move in offered(state, 1)}
    assert {AcceptHelp, DeclineHelp, CounterOffer} <= kinds
    assert refused(state, 1, CounterOffer()) == ("same_terms", "MK-13.2")
    events, state = when(state, 1, CounterOffer(treasures=2))
    assert of(events, HelpTermsProposed) == [HelpTermsProposed(1, 0, Deal(treasures=2))]
    assert asked(state) == {0}
    assert refused(state, 0, TakeBackRequest()) == ("nothing_to_take_back", "MK-13.1")  # they are not main's terms
    events, state = when(state, 0, CounterOffer(treasures=1))
    assert of(events, HelpTermsProposed) == [HelpTermsProposed(0, 1, Deal(treasures=1))]
    events, state = when(state, 1, AcceptHelp())
    assert state.running_combat.deal == Deal(treasures=1)


@pytest.mark.clause("MK-13.2")
def test_main_accepts_a_counter_offer_and_whoever_made_it_helps() -> None:
    state = fighting((), (), (), foes=("sally",))
    events, state = when_all(state, (0, AskHelp(seat=2)), (2, CounterOffer(all_of_them=True)), (0, AcceptHelp()))
    assert of(events, HelperJoined) == [HelperJoined(2, Deal(all_of_them=True))]
    assert asked(state) == {0}


@pytest.mark.clause("MK-13.2")
def test_whoever_declined_is_asked_again_only_once_the_combat_has_changed() -> None:
    state = fighting((), (), ("enh_pint",), foes=("sally",))
    state = when_all(state, (0, AskHelp(seat=1)), (1, DeclineHelp()))[1]
    assert refused(state, 0, AskHelp(seat=1, treasures=1)) == ("has_declined", "MK-13.2")
    assert AskHelp(seat=2) in offered(state, 0)
    state = then(state, 2, PlayCard("enh_pint", monster="sally"))
    assert AskHelp(seat=1) in offered(state, 0)


@pytest.mark.clause("MK-13.2")
def test_a_level_or_a_curse_of_a_fighter_changes_the_combat_too() -> None:
    hands = ((), (), ("gual_pie", "curse_level", "curse_footgear"))
    state = fighting(*hands, foes=("sally",), levels=(3,), items={0: ("bone_spurs",)})
    no = when_all(state, (0, AskHelp(seat=1)), (1, DeclineHelp()))[1]
    assert AskHelp(seat=1) in offered(then(no, 2, PlayCard("gual_pie", seat=0)), 0)
    assert AskHelp(seat=1) in offered(cursed(no, 2, "curse_level", 0)[1], 0)
    assert AskHelp(seat=1) in offered(cursed(no, 2, "curse_footgear", 0)[1], 0)
    aside = then(no, 2, PlayCard("gual_pie", seat=2))
    assert refused(aside, 0, AskHelp(seat=1)) == ("has_declined", "MK-13.2")


@pytest.mark.clause("MK-13.2")
def test_talks_that_main_breaks_off_are_not_begun_again_before_the_combat_has_changed() -> None:
    state = fighting((), (), (), foes=("sally",))
    state = when_all(state, (0, AskHelp(seat=1)), (1, CounterOffer(treasures=2)), (0, DeclineHelp()))[1]
    assert asked(state) == {0}
    assert refused(state, 0, AskHelp(seat=1)) == ("has_declined", "MK-13.2")


@pytest.mark.clause("MK-13.3")
def test_help_is_asked_for_even_by_one_who_is_winning() -> None:
    state = fighting((), (), (), foes=("puddle_bat",), levels=(5,))
    assert ClaimKill() in offered(state, 0)
    assert AskHelp(seat=1) in offered(state, 0)


@pytest.mark.clause("MK-13.2", "MK-13.3")
def test_while_terms_are_open_main_neither_claims_nor_runs_but_others_play() -> None:
    state = then(fighting((), (), ("enh_pint",), foes=("puddle_bat",), levels=(5,)), 0, AskHelp(seat=1))
    for move in (ClaimKill(), RunAway()):
        assert refused(state, 0, move) == ("terms_are_open", "MK-13.2")
    state = then(state, 2, PlayCard("enh_pint", monster="puddle_bat"))
    assert asked(state) == {1}  # the terms are still on the table


@pytest.mark.clause("MK-13.3", "MK-14.2")
def test_no_help_is_asked_for_in_the_window_or_on_the_run() -> None:
    window = then(fighting((), (), (), foes=("puddle_bat",), levels=(5,)), 0, ClaimKill())
    assert refused(window, 0, AskHelp(seat=1))[0] == "help_in_an_open_combat"
    run = then(fighting((), (), (), foes=("sally",)), 0, RunAway())
    assert refused(run, 0, AskHelp(seat=1))[0] == "help_in_an_open_combat"


# ---- MK-13.4, MK-13.12: what the helper gives and gets --------------------------------------------------------------


@pytest.mark.clause("MK-13.4", "MK-9.1")
def test_the_helper_adds_the_whole_strength() -> None:
    how = {"levels": (2, 4), "items": {1: ("bat_hat",)}, "rides": {1: ("ride_sleigh",)}}
    state = fighting((), (), (), foes=("sally",), **how)
    assert strengths(state) == (2, 8)
    state = when_all(state, (0, AskHelp(seat=1)), (1, AcceptHelp()))[1]
    assert strengths(state) == (2 + 4 + 2 + 3, 8)
    assert {line.card for line in score_munchkins(state) if line.seat == 1} == {"", "bat_hat", "ride_sleigh"}


@pytest.mark.clause("MK-13.4", "MK-9.4", "MK-4.10")
def test_the_weaknesses_of_the_helper_count_for_the_side() -> None:
    state = fighting((), (), (), foes=("wolfman",), towns={1: ("town_easter",)})
    assert strengths(state)[1] == 6
    state = when_all(state, (0, AskHelp(seat=1)), (1, AcceptHelp()))[1]
    assert strengths(state)[1] == 10


@pytest.mark.clause("MK-13.12")
def test_the_helper_gains_no_level() -> None:
    state = fighting((), (), (), foes=("puddle_bat", "jack_skellington"), helper=1, levels=(3, 9, 1),
                     items={0: ("crooked_crown", "grave_spade"), 1: ("bat_hat",)})  # fmt: skip
    events, state = won(state)
    assert [event.seat for event in of(events, LevelsGained)] == [0]
    assert state.levels == (6, 9, 1)


# ---- MK-13.9 to MK-13.11: staying and leaving -----------------------------------------------------------------------


@pytest.mark.clause("MK-13.9")
def test_a_helper_who_came_freely_cannot_withdraw() -> None:
    state = fighting((), (), (), foes=("puddle_bat",), levels=(9, 1, 1))
    state = when_all(state, (0, AskHelp(seat=1)), (1, AcceptHelp()))[1]
    assert state.running_combat.helper == 1  # it is the combat that wins the game, and the helper stays
    assert refused(state, 1, DeclineHelp()) == ("helper_stays", "MK-13.9")
    assert refused(state, 1, TakeBackRequest()) == ("helper_stays", "MK-13.9")
    assert not [move for move in offered(state, 1) if isinstance(move, DeclineHelp | TakeBackRequest | RunAway)]


@pytest.mark.clause("MK-13.10")
def test_a_card_forces_another_to_help_without_terms() -> None:
    state = fighting(("drafted",), (), (), foes=("sally",), levels=(2, 6, 1))
    events, state = when(state, 0, PlayCard("drafted", seat=1))
    assert of(events, HelperJoined) == [HelperJoined(1, None, forced=True)]
    assert strengths(state) == (8, 8)
    assert refused(state, 0, AskHelp(seat=1)) == ("was_drafted", "MK-13.10")
    assert refused(state, 1, DeclineHelp()) == ("helper_stays", "MK-13.10")


@pytest.mark.clause("MK-13.10", "MK-3.5")
def test_nobody_is_forced_into_the_combat_that_wins_the_game() -> None:
    for level, foe in ((9, "puddle_bat"), (8, "jack_skellington")):
        state = fighting(("drafted",), (), (), foes=(foe,), levels=(level,))
        assert refused(state, 0, PlayCard("drafted", seat=1)) == ("nobody_is_forced", "MK-3.5")
        assert not [move for move in offered(state, 0) if isinstance(move, PlayCard)]
    state = fighting(("drafted",), (), (), foes=("puddle_bat",), levels=(8,))
    assert PlayCard("drafted", seat=1) in offered(state, 0)


@pytest.mark.clause("MK-13.10")
def test_a_drafted_helper_leaves_when_the_combat_becomes_the_winning_one() -> None:
    hands = (("drafted",), (), ("gual_pie", "wandering_monster", "puddle_bat"))
    state = then(fighting(*hands, foes=("sally",), levels=(8, 6, 1)), 0, PlayCard("drafted", seat=1))
    assert state.running_combat.helper == 1
    for play in (PlayCard("gual_pie", seat=0), PlayCard("wandering_monster", partner="puddle_bat")):
        events, after = when(state, 2, play)
        assert of(events, HelperLeft) == [HelperLeft(1)]
        assert after.running_combat.helper == NOBODY
        assert after.levels[1] == 6
        assert asked(after) == {0}


@pytest.mark.clause("MK-13.10", "MK-15.2")
def test_a_drafted_helper_leaves_out_of_the_window_too() -> None:
    state = fighting(("drafted",), (), ("gual_pie",), foes=("sally",), levels=(8, 6, 1))
    state = when_all(state, (0, PlayCard("drafted", seat=1)), (0, ClaimKill()))[1]
    events, state = when(state, 2, PlayCard("gual_pie", seat=0))
    assert of(events, HelperLeft)
    assert refused(state, 1, Pass())[0] == "nothing_to_pass"  # the window is closed, and seat 1 fights no more
    assert strengths(state) == (9, 8)


@pytest.mark.clause("MK-13.10", "MK-13.9")
def test_who_came_freely_stays_when_the_combat_becomes_the_winning_one() -> None:
    state = fighting((), (), ("gual_pie",), foes=("sally",), levels=(8, 6, 1))
    state = when_all(state, (0, AskHelp(seat=1)), (1, AcceptHelp()))[1]
    events, state = when(state, 2, PlayCard("gual_pie", seat=0))
    assert not of(events, HelperLeft)
    assert state.running_combat.helper == 1


@pytest.mark.clause("MK-13.11")
def test_a_helper_leaves_by_a_card_and_the_deal_is_void_while_what_was_played_stays() -> None:
    hands = ((), ("os_fruitcake",), ("curse_cold_feet",))
    state = fighting(*hands, foes=("sally",), levels=(2, 6, 1))
    state = when_all(state, (0, AskHelp(seat=1, treasures=1)), (1, AcceptHelp()),
                     (1, PlayCard("os_fruitcake", side="munchkins")))[1]  # fmt: skip
    assert strengths(state) == (13, 8)
    events, state = cursed(state, 2, "curse_cold_feet", 1)
    assert of(events, HelperLeft) == [HelperLeft(1)]
    assert state.running_combat.deal is None
    assert strengths(state) == (7, 8)
    assert AskHelp(seat=1) in offered(state, 0)
    assert AskHelp(seat=2) in offered(state, 0)


@pytest.mark.clause("MK-13.11", "MK-13.6")
def test_new_terms_for_a_helper_who_leaves_are_off() -> None:
    state = fighting((), (), ("curse_cold_feet",), foes=("sally",), levels=(2, 6, 1))
    state = when_all(state, (0, AskHelp(seat=1)), (1, AcceptHelp()), (0, AskHelp(seat=1, treasures=1)))[1]
    assert asked(state) == {1}
    _, state = cursed(state, 2, "curse_cold_feet", 1)
    assert asked(state) == {0}
    assert state.running_combat.offer is None


# ---- MK-9.4: monsters that allow no helper --------------------------------------------------------------------------


@pytest.mark.clause("MK-9.4", "MK-13.1")
def test_a_monster_that_allows_no_helper_forbids_asking_and_drafting() -> None:
    state = fighting(("drafted",), (), (), foes=("puddle_bat", "pit_choirmaster"))
    assert refused(state, 0, AskHelp(seat=1)) == ("nobody_can_help", "MK-9.4")
    assert refused(state, 0, PlayCard("drafted", seat=1)) == ("nobody_can_help", "MK-9.4")
    assert not [move for move in offered(state, 0) if isinstance(move, AskHelp)]


@pytest.mark.clause("MK-9.4", "MK-3.7")
def test_who_was_asked_before_such_a_monster_came_cannot_accept_any_more() -> None:
    state = then(fighting((), (), ("pit_choirmaster",), foes=("cellar_imp",)), 0, AskHelp(seat=1))
    state = then(state, 2, JoinByTag("pit_choirmaster"))
    assert refused(state, 1, AcceptHelp()) == ("nobody_can_help", "MK-9.4")
    assert refused(state, 1, CounterOffer(treasures=1)) == ("nobody_can_help", "MK-9.4")
    assert DeclineHelp() in offered(state, 1)
    assert TakeBackRequest() in offered(state, 0)


@pytest.mark.clause("MK-9.4", "MK-13.11")
def test_a_helper_leaves_when_such_a_monster_comes() -> None:
    state = fighting((), (), ("pit_choirmaster",), foes=("cellar_imp",), levels=(2, 3, 1))
    state = when_all(state, (0, AskHelp(seat=1, treasures=1)), (1, AcceptHelp()))[1]
    events, state = when(state, 2, JoinByTag("pit_choirmaster"))
    assert of(events, HelperLeft) == [HelperLeft(1)]
    assert state.running_combat.deal is None
    assert strengths(state) == (2, 15)


# ---- MK-23.2, MK-23.1 -----------------------------------------------------------------------------------------------


@pytest.mark.clause("MK-23.2")
def test_who_does_not_answer_in_time_declines() -> None:
    state = fighting((), (), (), foes=("sally",), rules={"turn_timeout_ms": 60_000})
    events, state = times_out(then(state, 0, AskHelp(seat=1)))
    assert of(events, HelpTermsClosed) == [HelpTermsClosed(1, "declined")]
    assert asked(state) == {0}
    events, state = times_out(when_all(state, (0, AskHelp(seat=2)), (2, CounterOffer(treasures=1)))[1])
    assert of(events, HelpTermsClosed) == [HelpTermsClosed(0, "declined")]


@pytest.mark.clause("MK-23.1", "MK-13.6")
def test_terms_are_said_at_the_table_and_the_rest_of_the_hand_stays_hidden() -> None:
    state = fighting(("gual_pie", "stilts"), (), (), foes=("sally",))
    events, state = when(state, 0, AskHelp(seat=1, plays=("gual_pie",), note="and thanks"))
    assert [event.view_for(2) for event in of(events, HelpTermsProposed)] == of(events, HelpTermsProposed)
    seen = build_view(state, Seat(2))
    assert seen.running_combat.offer == Deal(plays=("gual_pie",), note="and thanks")
    assert "stilts" not in seen.cards_in_hand(0)


@pytest.mark.clause("MK-13.2")
def test_other_moves_are_no_answer_to_terms() -> None:
    state = then(fighting((), (), (), foes=("sally",)), 0, AskHelp(seat=1))
    assert refused(state, 1, KickDoor()) == ("terms_are_open", "MK-13.2")
    assert settled(state) == state

"""The questions of the card language, as Here to Slay asks them."""

from __future__ import annotations

import pytest

from referee.cardscript.language.interpreter import NameBound
from referee.cardscript.moves import Accept, ChooseCard, ChoosePlayer, ConfirmSeen, Decline
from referee.cardscript.questions import LookPrompt
from referee.engine.referee import build_view
from referee.engine.seats import Seat
from referee.games.here_to_slay.events.cards import CardDrawn, CardPulled, HandShown
from referee.games.here_to_slay.moves import EndTurn, PlayCard, RollFor
from tests.games.course import asked, of, refusal, then, when
from tests.games.here_to_slay.given import dice, offered, passes, rolls, stands, table


@pytest.mark.clause("CARDS-CHOICE-1")
def test_only_the_player_of_the_text_chooses_and_only_out_of_what_it_names() -> None:
    state = table([], ["hook"], ["spooky"], [], parties={0: ["heavy_bear"]})
    _, state = dice(then(state, 0, RollFor("heavy_bear")), 6, 6)
    assert asked(state) == {0}
    assert refusal(state, 1, ChoosePlayer(2)).clauses == ("HTS-ROLL-5", "HTS-TGT-3", "CARDS-CHOICE-1")
    assert offered(state, 0) == [ChoosePlayer(1), ChoosePlayer(2)]
    assert refusal(state, 0, ChoosePlayer(3)).reason == "nothing_to_do_there"
    assert refusal(state, 0, ChooseCard("hook")).reason == "choose_player"


@pytest.mark.clause("CARDS-CHOICE-2")
def test_a_duty_is_not_declined_and_a_single_public_choice_is_made_by_the_referee() -> None:
    two = table([], ["hook"], parties={0: ["bad_axe"], 1: ["fluffy", "bun_bun"]})
    _, state = dice(then(two, 0, RollFor("bad_axe")), 6, 6)
    assert refusal(state, 0, Decline()).reason == "must_choose"
    one = table([], ["hook"], parties={0: ["bad_axe"], 1: ["fluffy"]})
    events, state = dice(then(one, 0, RollFor("bad_axe")), 6, 6)
    assert NameBound("target", ("fluffy",)) in events
    assert asked(state) == {1}  # the window for modifiers is open already


@pytest.mark.clause("CARDS-CHOICE-3")
def test_an_offer_is_made_once_and_taken_or_left() -> None:
    state = table(["enchanted_spell", "enchanted_spell"], ["hook"], leaders={0: "the_cloaked_sage"})
    _, state = stands(state, 0, PlayCard("enchanted_spell"))
    assert refusal(state, 0, EndTurn()).reason == "card_under_way"
    events, _ = when(state, 0, Accept())
    assert len(of(events, CardDrawn)) == 1
    events, state = when(state, 0, Decline())
    assert not of(events, CardDrawn)
    assert state.agenda[-1].question_name() == "hts.Turn"


@pytest.mark.clause("CARDS-CHOICE-4")
def test_who_is_shown_a_hand_says_so_before_anything_goes_on() -> None:
    state = table([], ["hook", "spooky"], parties={0: ["sharp_fox"]})
    events, state = rolls(then(state, 0, RollFor("sharp_fox")), 6, 6)
    assert of(events, HandShown)[0].cards == ("hook", "spooky")
    top, others = state.agenda[-1], build_view(state, Seat(1)).agenda[-1]
    assert isinstance(top, LookPrompt)
    assert isinstance(others, LookPrompt)
    assert (top.cards, others.cards) == (("hook", "spooky"), ("?", "?"))
    assert refusal(state, 0, Decline()).clauses == ("HTS-TEXT-3", "HTS-ASK-1", "CARDS-CHOICE-4")
    assert then(state, 0, ConfirmSeen()).agenda[-1].question_name() == "hts.Turn"


def test_the_only_card_of_a_hand_is_pulled_without_chance() -> None:
    state = table([], ["hook"], parties={0: ["bear_claw"]})
    events, _ = rolls(then(state, 0, RollFor("bear_claw")), 6, 6)
    assert [event.put for event in of(events, CardPulled)] == [("hook",)]
    assert passes(state) == ((), state)

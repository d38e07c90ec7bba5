"""What may be declined and what not, and what it means that each other player does something."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import Accept, ChooseCard, ChooseCards, ChooseUnseen, Decline
from referee.engine.events import Move
from referee.engine.referee import build_view
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat
from referee.games.here_to_slay.events.cards import CardDiscarded, CardDrawn, CardGiven, CardPulled, CardShown
from referee.games.here_to_slay.events.heroes import HeroDestroyed, HeroSacrificed
from referee.games.here_to_slay.moves import DrawOne, PlayCard, RollFor
from referee.games.here_to_slay.state import Table
from tests.games.course import asked, of, refusal, then, when
from tests.games.here_to_slay.given import dice, names, offered, stands, succeeds, table

OPTIONAL = ("pan_chucks", "quick_draw", "snowball", "mellow_dee", "sly_pickings", "buttons", "lucky_bucky")
DUTIES: dict[str, tuple[Move, ...]] = {  # heroes whose effects ask something that must be answered; what is declared
    "beary_wise": (), "bullseye": (), "greedy_cheeks": (), "guiding_light": (), "heavy_bear": (), "hopper": (),
    "radiant_horn": (), "silent_shadow": (), "spooky": (), "wildshot": (), "bun_bun": (), "lookie_rookie": (),
}  # fmt: skip


def effect_of(hero: str) -> Table:
    """The effect of a hero has begun, with enough of everything for a question."""
    discard = ["spooky" if hero != "spooky" else "hook", "fluffy", "modifier_plus_4", "modifier_minus_4", "bard_mask"]
    discard += ["thief_mask", "critical_boost", "enchanted_spell"]
    hand = ["challenge", "wily_red", "qi_bear"]
    parties = {0: [hero], 1: ["peanut", "snowball" if hero != "snowball" else "hook"]}
    state = table([], hand, parties=parties, discard=discard, deck=["tough_teddy", "wise_shield", "kit_napper"])
    return succeeds(state, hero)[1]


@pytest.mark.clause("HTS-MAY-1")
@pytest.mark.parametrize("hero", DUTIES)
def test_all_that_no_card_marks_as_optional_is_a_duty(hero: str) -> None:
    state = effect_of(hero)
    (seat,) = asked(state)
    assert state.agenda[-1].question_name() != "hts.Turn"
    assert Decline() not in offered(state, seat)
    assert isinstance(refusal(state, seat, Decline()).reason, str)


@pytest.mark.clause("HTS-MAY-1")
@pytest.mark.parametrize(
    "hero", ["bad_axe", "bear_claw", "fluffy", "kit_napper", "meowzio", "tipsy_tootie", "whiskers", "wiggles", "hopper"]
)
def test_a_target_cannot_be_declined(hero: str) -> None:
    parties = {0: [hero], 1: ["peanut", "snowball"], 2: ["hook", "spooky"]}
    state = table([], ["challenge"], ["challenge"], parties=parties)
    _, state = dice(then(state, 0, RollFor(hero)), 6, 6)
    assert refusal(state, 0, Decline()).reason == "must_choose"


@pytest.mark.clause("HTS-MAY-1", "HTS-MAY-2")
@pytest.mark.parametrize("hero", OPTIONAL)
def test_an_offer_is_made_once_and_does_not_come_back(hero: str) -> None:
    draws = hero in ("pan_chucks", "quick_draw", "snowball", "mellow_dee")
    items = dict.fromkeys(("quick_draw", "sly_pickings"), "bard_mask")
    magic = dict.fromkeys(("snowball", "buttons"), "critical_boost")
    card = {**items, **magic, "pan_chucks": "challenge"}.get(hero, "spooky")
    hand, deck = ([], [card]) if draws else ([card], [])
    _, state = succeeds(table([], hand, parties={0: [hero], 1: ["fluffy"]}, deck=deck), hero)
    assert set(offered(state, 0)) == {Decline(), ChooseCard(card)}
    events, state = when(state, 0, Decline())
    assert (names(events), state.agenda[-1].question_name()) == ([], "hts.Turn")
    assert card in state.cards_in_hand(0)


@pytest.mark.clause("HTS-MAY-1", "HTS-MAY-2")
def test_the_free_roll_can_be_declined_and_is_not_offered_again() -> None:
    _, state = stands(table(["peanut"], []), 0, PlayCard("peanut"))
    events, state = when(state, 0, Decline())
    assert (names(events), state.agenda[-1].question_name()) == ([], "hts.Turn")
    with pytest.raises(IllegalMove):
        when(state, 0, Accept())


@pytest.mark.clause("HTS-MAY-3")
def test_an_offer_that_hidden_cards_do_not_allow_is_made_all_the_same() -> None:
    for card, answers in (("bard_mask", 2), ("peanut", 1)):
        state = table([], [], slain={0: ["malamammoth"]}, deck=[card], parties={0: ["hook"]})
        state = then(state, 0, DrawOne())
        assert asked(build_view(state, Seat(1))) == {0}  # so nobody learns what was drawn
        assert (len(offered(state, 0)), offered(state, 0)[0]) == (answers, Decline())


@pytest.mark.clause("HTS-MAY-4", "HTS-AMB-49")
def test_pan_chucks_destroys_only_if_the_challenge_was_shown_and_then_must() -> None:
    parties = {0: ["pan_chucks"], 1: ["peanut", "fluffy"]}
    _, state = succeeds(table([], [], parties=parties, deck=["challenge", "challenge"]), "pan_chucks")
    events, hidden = when(state, 0, Decline())
    assert (of(events, HeroDestroyed), hidden.agenda[-1].question_name()) == ([], "hts.Turn")
    events, state = when(state, 0, ChooseCard("challenge"))
    assert [event.card for event in of(events, CardShown)] == ["challenge"]
    assert refusal(state, 0, Decline()).reason == "must_choose"
    events, state = when(state, 0, ChooseCard("fluffy"))
    assert [event.put for event in of(events, HeroDestroyed)] == [("fluffy",)]
    assert state.agenda[-1].question_name() == "hts.Turn"  # one hero even with two challenge cards


@pytest.mark.clause("HTS-MAY-4")
def test_snowballs_second_draw_is_a_duty_once_the_magic_was_played() -> None:
    state = table([], [], parties={0: ["snowball"]}, deck=["forceful_winds", "hook"], leaders={0: "the_divine_arrow"})
    _, state = succeeds(state, "snowball")
    events, after = when(state, 0, ChooseCard("forceful_winds"))
    assert (names(events)[-2:], after.cards_in_hand(0)) == (["MagicPlayed", "CardDrawn"], ("hook",))
    events, after = when(state, 0, Decline())
    assert (of(events, CardDrawn), after.cards_in_hand(0)) == ([], ("forceful_winds",))


@pytest.mark.clause("HTS-EACH-1", "HTS-EACH-2", "HTS-AMB-54")
def test_the_others_are_asked_at_once_answer_unseen_and_it_is_carried_out_clockwise() -> None:
    hands = (["hook", "fluffy"], ["peanut", "spooky"], [], ["wildshot", "wily_red"])
    state = table(*hands, parties={2: ["beary_wise"]}, turn=2)
    _, state = succeeds(state, "beary_wise", seat=2)
    assert asked(state) == {3, 0, 1}
    events, state = when(state, 1, ChooseCards(("spooky",)))
    assert of(events, CardDiscarded) == []
    for seat, seen in ((0, ()), (1, ("spooky",)), (2, ()), (3, ())):
        given = build_view(state, Seat(seat)).agenda[-1].given  # type: ignore[attr-defined]
        assert given == {"1": seen}  # that it has answered shows, not what
    (event,) = [event for event in events if event.TAG == "cards.Answered"]
    assert "spooky" not in str(event.view_for(0)) + str(ChooseCards(("spooky",)).view_for(0, 1))
    assert refusal(state, 1, ChooseCards(("peanut",))).reason == "answered_already"  # an answer stands
    events, state = when(state, 0, ChooseCards(("hook",)))
    assert of(events, CardDiscarded) == []
    events, state = when(state, 3, ChooseCards(("wildshot",)))
    assert [(event.seat, event.put) for event in of(events, CardDiscarded)] == [
        (3, ("wildshot",)), (0, ("hook",)), (1, ("spooky",)),
    ]  # fmt: skip
    assert asked(state) == {2}


@pytest.mark.clause("HTS-EACH-1", "HTS-EACH-2")
def test_sacrifices_gifts_and_pulls_go_clockwise_from_the_player_of_the_effect() -> None:
    state = table([], [], [], parties={0: ["hook", "fluffy"], 1: ["spooky"], 2: ["peanut", "wily_red"]}, turn=1)
    _, state = succeeds(state, "spooky", seat=1)
    events, state = when(then(state, 0, ChooseCards(("hook",))), 2, ChooseCards(("peanut",)))
    assert [event.seat for event in of(events, HeroSacrificed)] == [2, 0]
    state = table(["hook"], [], ["fluffy"], parties={1: ["greedy_cheeks"]}, turn=1)
    events, _ = succeeds(state, "greedy_cheeks", seat=1)
    assert [event.seat for event in of(events, CardGiven)] == [2, 0]
    thieves = {0: ["kit_napper"], 1: ["smooth_mimimeow"], 2: ["meowzio"]}
    events, _ = succeeds(table(["hook"], [], ["fluffy"], parties=thieves, turn=1), "smooth_mimimeow", seat=1)
    assert [event.of for event in of(events, CardPulled)] == [2, 0]


@pytest.mark.clause("HTS-EACH-3", "HTS-EDGE-2")
def test_who_has_nothing_to_choose_from_is_skipped_and_the_rest_follows_when_all_are_done() -> None:
    state = table([], [], ["peanut", "hook"], ["spooky", "fluffy"], parties={0: ["beary_wise"]})
    _, state = succeeds(state, "beary_wise")
    assert asked(state) == {2, 3}
    state = then(state, 3, ChooseCards(("spooky",)))
    assert asked(state) == {2}
    state = then(state, 2, ChooseCards(("hook",)))
    assert offered(state, 0) == [ChooseCard("hook"), ChooseCard("spooky")]
    _, state = succeeds(table([], [], [], parties={0: ["beary_wise"]}), "beary_wise")
    assert state.agenda[-1].question_name() == "hts.Turn"


@pytest.mark.clause("HTS-MAY-1")
def test_bullseye_must_keep_one() -> None:
    state = effect_of("bullseye")
    assert offered(state, 0) == [ChooseUnseen(card) for card in ("tough_teddy", "wise_shield", "kit_napper")]

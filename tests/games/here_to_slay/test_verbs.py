"""The verbs of the rulebook: what exactly moves where when a card is drawn, discarded, destroyed, stolen or pulled."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import ChooseCard, ChooseCards
from referee.engine.chance import PickResult
from referee.engine.referee import draw_chance_move, seats_that_must_act
from referee.engine.seats import CHANCE
from referee.engine.steps import TriggerQueued
from referee.games.here_to_slay.components import DECK, DISCARD, FACES, HANDS, PROGRAMS, ROW
from referee.games.here_to_slay.events.cards import CardDrawn, CardPulled
from referee.games.here_to_slay.events.heroes import HeroDestroyed, HeroSacrificed, HeroStolen, MonsterSlain
from referee.games.here_to_slay.events.plays import PlayLost, RollSettled
from referee.games.here_to_slay.moves import Attack, Challenge, DrawOne, PlayCard, RollFor
from referee.games.here_to_slay.state import Table
from tests.games.course import asked, of, pulled, refusal, then, when
from tests.games.here_to_slay.given import dice, names, offered, rolls, stands, succeeds, table


@pytest.mark.clause("HTS-VERB-1")
def test_drawing_takes_the_top_card_of_the_main_deck_to_the_own_hand() -> None:
    events, state = when(table(["challenge"], [], deck=["peanut", "hook"]), 0, DrawOne())
    assert of(events, CardDrawn) == [CardDrawn(DECK, HANDS[0], ("peanut",), ("peanut",), 0)]
    assert (state.cards_in_hand(0), state.cards_at(DECK)[0]) == (("challenge", "peanut"), "hook")


@pytest.mark.clause("HTS-VERB-2")
def test_discarding_puts_a_card_of_the_holders_choice_on_the_discard_pile() -> None:
    state = table([], ["peanut", "hook", "challenge"], parties={0: ["heavy_bear"]})
    _, state = succeeds(state, "heavy_bear")
    assert asked(state) == {1}
    assert refusal(state, 1, ChooseCards(("peanut", "wildshot"))).clauses == ("HTS-VERB-2",)
    state = then(state, 1, ChooseCards(("challenge", "peanut")))
    assert (state.cards_in_hand(1), state.cards_at(DISCARD)) == (("hook",), ("challenge", "peanut"))


@pytest.mark.clause("HTS-VERB-3")
def test_destroying_puts_a_card_of_another_party_on_the_discard_pile() -> None:
    events, state = succeeds(table([], [], parties={0: ["bad_axe"], 1: ["fluffy"]}), "bad_axe")
    assert [(event.seat, event.by) for event in of(events, HeroDestroyed)] == [(1, 0)]
    assert (state.party_of(1), state.cards_at(DISCARD)) == ((), ("fluffy",))


@pytest.mark.clause("HTS-VERB-4")
def test_sacrificing_puts_a_card_of_the_own_party_on_the_discard_pile() -> None:
    state = table([], [], parties={0: ["hopper"], 1: ["fluffy", "peanut"]})
    _, state = succeeds(state, "hopper")
    events, state = when(state, 1, ChooseCards(("peanut",)))
    assert [event.seat for event in of(events, HeroSacrificed)] == [1]
    assert (state.party_of(1), state.cards_at(DISCARD)) == (("fluffy",), ("peanut",))


@pytest.mark.clause("HTS-VERB-5")
def test_stealing_brings_a_card_of_another_party_into_the_own() -> None:
    events, state = succeeds(table([], [], parties={0: ["kit_napper"], 1: ["fluffy"]}), "kit_napper")
    assert [(event.seat, event.of) for event in of(events, HeroStolen)] == [(0, 1)]
    assert (state.party_of(0), state.party_of(1), state.cards_at(DISCARD)) == (("kit_napper", "fluffy"), (), ())


def about_to_pull() -> Table:
    """Bear Claw has succeeded; a card of the hand of seat 1 is to be pulled."""
    state = table(["challenge"], ["hook", "peanut", "sealing_key"], [], parties={0: ["bear_claw"]})
    return succeeds(state, "bear_claw")[1]


@pytest.mark.clause("HTS-VERB-6", "HTS-DO-6")
def test_pulling_brings_a_random_card_of_another_hand_to_the_own() -> None:
    state = about_to_pull()
    assert seats_that_must_act(state) == {CHANCE}
    assert refusal(state, CHANCE, PickResult(("challenge",))).clauses == ("KERNEL-CHANCE-1",)
    events, state = pulled(state, "sealing_key")
    assert of(events, CardPulled) == [CardPulled(HANDS[1], HANDS[0], ("sealing_key",), ("sealing_key",), 0, 1)]
    assert (state.cards_in_hand(0), state.cards_in_hand(1)) == (("challenge", "sealing_key"), ("hook", "peanut"))


@pytest.mark.clause("HTS-VERB-12")
def test_a_pull_is_even_chance_recorded_as_a_fact_and_seen_by_the_two_players_alone() -> None:
    state = about_to_pull()
    outcomes = []
    for at in range(3):
        bounds: list[int] = []
        outcomes.append(draw_chance_move(state, lambda n, at=at, bounds=bounds: bounds.append(n) or at))  # type: ignore[misc]
        assert bounds == [3]
    assert {move.cards for move in outcomes} == {("hook",), ("peanut",), ("sealing_key",)}  # type: ignore[attr-defined]
    events, _ = pulled(state, "sealing_key")
    (event,) = of(events, CardPulled)
    seen = [(view.took, view.put) for view in (event.view_for(seat) for seat in range(3))]  # type: ignore[attr-defined]
    assert seen == [(("?",), ("sealing_key",)), (("sealing_key",), ("?",)), (("?",), ("?",))]


@pytest.mark.clause("HTS-VERB-7", "HTS-DO-34")
def test_challenging_tries_to_stop_a_hero_an_item_or_magic_by_a_roll_off() -> None:
    for card in ("peanut", "really_big_ring", "forceful_winds"):
        state = table([card], ["challenge"], parties={1: ["fluffy"]})
        state = then(then(state, 0, PlayCard(card)), 1, Challenge())
        events, lost = dice(state, 6, 5, 5, 5)
        assert [event.put for event in of(events, PlayLost)] == [(card,)]
        assert lost.cards_at(DISCARD) == ("challenge", card)
        events, _ = dice(state, 5, 5, 6, 5)
        assert not of(events, PlayLost)


@pytest.mark.clause("HTS-VERB-8")
def test_attacking_is_rolling_to_slay_a_monster() -> None:
    state = table([], [], parties={0: ["peanut"]}, row=["terratuga"])
    events, state = when(state, 0, Attack("terratuga"))
    assert seats_that_must_act(state) == {CHANCE}
    events, state = dice(state, 4, 4)
    assert [(event.kind, event.outcome) for event in of(events, RollSettled)] == [("attack", "nothing")]
    assert "terratuga" in state.cards_at(ROW)


@pytest.mark.clause("HTS-VERB-9")
def test_slaying_puts_a_successfully_attacked_monster_into_the_own_party() -> None:
    state = then(table([], [], parties={0: ["peanut"]}, row=["terratuga"]), 0, Attack("terratuga"))
    events, state = rolls(state, 6, 5)
    assert [event.seat for event in of(events, MonsterSlain)] == [0]
    assert (state.monsters_slain_by(0), "terratuga" in state.cards_at(ROW)) == (("terratuga",), False)


@pytest.mark.clause("HTS-VERB-10", "HTS-AMB-29")
@pytest.mark.parametrize("hero", ["bad_axe", "kit_napper"])
def test_only_heroes_are_destroyed_or_stolen_and_never_those_of_the_own_party(hero: str) -> None:
    parties = {0: [hero, "peanut"], 1: ["fluffy", "hook"]}
    state = table([], [], parties=parties, slain={1: ["dracos"]}, leaders={1: "the_cloaked_sage"})
    _, state = dice(then(state, 0, RollFor(hero)), 6, 6)
    assert offered(state, 0) == [ChooseCard("fluffy"), ChooseCard("hook")]
    for own in (hero, "peanut"):
        assert refusal(state, 0, ChooseCard(own)).clauses == ("HTS-VERB-10", "HTS-AMB-29")
    for no_hero in ("dracos", "the_cloaked_sage"):
        assert refusal(state, 0, ChooseCard(no_hero)).reason == "no_such_hero"


OTHER_WORDS = {  # a hero and what it does to a hand or a party that is no draw, discard, destroy, steal or sacrifice
    "bun_bun": "taking from the discard pile",
    "bullseye": "keeping one of three looked at",
    "silent_shadow": "taking from a hand",
    "greedy_cheeks": "being given",
    "dodgy_dealer": "swapping",
    "buttons": "pulling",
}


@pytest.mark.clause("HTS-VERB-11", "HTS-AMB-51")
@pytest.mark.parametrize("hero", OTHER_WORDS)
def test_other_words_of_the_cards_are_no_draw(hero: str) -> None:
    state = table(
        [], ["critical_boost"], parties={0: [hero]}, slain={0: ["orthus", "rex_major"]},
        discard=["critical_boost"], deck=["enchanted_spell", "enchanted_spell", "entangling_trap"],
    )  # fmt: skip
    events, state = succeeds(state, hero)
    while asked(state) and state.agenda[-1].question_name() != "hts.Turn":
        (seat,) = asked(state)
        more, state = when(state, seat, offered(state, seat)[0])
        events += more
    assert state.cards_in_hand(0), OTHER_WORDS[hero]
    assert not of(events, TriggerQueued), OTHER_WORDS[hero]
    assert not {"CardDrawn", "CardDiscarded"} & set(names(events))


@pytest.mark.clause("HTS-VERB-11")
def test_returning_an_item_is_neither_stealing_nor_destroying() -> None:
    state = table(["winds_of_change"], [], parties={0: ["peanut"], 1: [("fluffy", "bard_mask")]}, slain={1: ["dracos"]})
    events, state = stands(state, 0, PlayCard("winds_of_change"))
    assert names(events)[-4:] == ["PlayStood", "ItemReturned", "CardDrawn", "MagicPlayed"]
    assert not of(events, TriggerQueued)
    assert (state.party_of(1), state.cards_in_hand(1)) == (("fluffy",), ("bard_mask",))


@pytest.mark.clause("HTS-VERB-10")
def test_no_text_destroys_sacrifices_or_steals_anything_but_heroes() -> None:
    touched = {
        (FACES[card].kind, line.effect.WORD)
        for (card, _), lines in PROGRAMS.items()
        for line in lines
        if line.effect.WORD in ("destroy", "steal", "sacrifice") and not hasattr(line.effect, "hero")
    }
    assert {word for _, word in touched} <= {"sacrifice"}  # which asks for a hero of the own party
    state = table([], [], parties={0: ["hopper"], 1: ["fluffy", ("peanut", "bard_mask")]}, slain={1: ["dracos"]})
    _, state = succeeds(state, "hopper")
    for no_hero in ("dracos", "bard_mask", state.leader_of(1) or ""):
        assert refusal(state, 1, ChooseCards((no_hero,))).clauses == ("HTS-VERB-4",)

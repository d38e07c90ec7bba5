"""What was wrong once and was found by looking for it: each is told as it was met."""

from __future__ import annotations

import pytest

from referee.cardscript.language.interpreter import NothingToChoose
from referee.cardscript.moves import ChooseCard, ChooseCards, ChoosePlayer, ChooseUnseen
from referee.engine.chance import ShuffleResult
from referee.engine.events import apply_events, replace_fields
from referee.engine.referee import build_view, find_closest_legal, find_legal_moves, preview_move
from referee.engine.seats import CHANCE, Seat
from referee.games.here_to_slay.components import HANDS, PARTIES
from referee.games.here_to_slay.events.cards import CardDiscarded, CardDrawn, CardPulled, EffectLapsed
from referee.games.here_to_slay.events.heroes import HeroStolen, ItemReturned
from referee.games.here_to_slay.moves import Leave, RollFor
from referee.games.here_to_slay.state import Table, item_place_of
from tests.games.course import of, refusal, then, times_out, when
from tests.games.here_to_slay.given import dice, offered, passes, rolls, table, with_deck


def bear_claw_pulls(only_card: str) -> list[object]:
    """What a third player sees of Bear Claw pulling the only card of a hand."""
    state = table(["hook"], [only_card], ["spooky"], parties={0: ["bear_claw"]})
    state = then(state, 0, RollFor("bear_claw"))
    _, state = dice(state, 6, 6)
    state = then(state, 0, ChoosePlayer(1))
    events, _ = passes(state)
    assert of(events, CardPulled)
    return [event.view_for(2) for event in events]


@pytest.mark.clause("HTS-STATE-2", "HTS-DO-40")
def test_where_no_second_pull_can_come_nothing_tells_what_the_first_one_got() -> None:
    assert bear_claw_pulls("peanut") == bear_claw_pulls("challenge")


@pytest.mark.clause("HTS-AMB-76", "CARDS-TIME-1")
def test_an_absent_player_discards_as_few_as_may_be() -> None:
    state = table(
        ["hook", "peanut", "challenge"], ["spooky"], parties={0: ["qi_bear"], 1: ["fluffy"]},
        rules={"decision_ms": 5000},
    )  # fmt: skip
    _, state = rolls(then(state, 0, RollFor("qi_bear")), 6, 6)
    events, state = times_out(state)
    assert of(events, CardDiscarded) == []


@pytest.mark.clause("HTS-AMB-50", "HTS-DO-44")
def test_one_of_two_equal_modifiers_that_is_left_is_shown_once() -> None:
    two = ("modifier_plus_2_minus_2", "modifier_plus_2_minus_2")
    state = table(
        [], ["spooky"], parties={0: ["wildshot"]}, slain={0: ["rex_major"]}, deck=[*two, "peanut", "hook", "snowball"]
    )
    _, state = rolls(then(state, 0, RollFor("wildshot")), 6, 6)
    state = then(state, 0, ChooseCards(two[:1]))
    events, state = when(state, 0, ChooseCard(two[0]))
    assert len(of(events, CardDrawn)) == 1
    assert ChooseCard(two[0]) not in offered(state, 0)
    assert refusal(state, 0, ChooseCard(two[0])).clauses[0] == "HTS-AMB-50"


def moved_to(state: Table, hero: str, seat: int) -> Table:
    """The same table with a hero in another party, as after a play within the window."""
    zones = {name: tuple(card for card in cards if card != hero) for name, cards in state.zones.items()}
    return replace_fields(state, zones={**zones, PARTIES[seat]: (*zones.get(PARTIES[seat], ()), hero)})


@pytest.mark.clause("HTS-TGT-4", "HTS-DO-16")
def test_a_cursed_item_that_is_no_longer_in_the_own_party_stays_where_it_is() -> None:
    curse = "curse_of_the_snakes_eyes"
    state = table(["hook"], ["spooky"], parties={0: ["holy_curselifter", ("bun_bun", curse)], 1: ["peanut"]})
    state = then(state, 0, RollFor("holy_curselifter"))
    _, state = dice(state, 6, 6)
    events, state = passes(moved_to(state, "bun_bun", 1))
    assert of(events, ItemReturned) == []
    assert state.cards_at(item_place_of("bun_bun")) == (curse,)


@pytest.mark.clause("HTS-TGT-4", "HTS-DO-19")
def test_a_declared_hero_that_a_third_player_has_by_now_is_not_stolen_there() -> None:
    state = table(["hook"], ["spooky"], ["snowball"], parties={0: ["meowzio"], 1: ["peanut", "fluffy"], 2: ["bun_bun"]})
    state = then(state, 0, RollFor("meowzio"))
    _, state = dice(state, 6, 6)
    state = then(state, 0, ChoosePlayer(1), ChooseCard("peanut"))
    events, state = passes(moved_to(state, "peanut", 2))
    assert of(events, HeroStolen) == []
    assert of(events, CardPulled)  # the other part of the text is carried out


@pytest.mark.clause("HTS-DO-8", "HTS-DO-14")
def test_what_only_the_looker_sees_can_be_tried_on_the_lookers_view() -> None:
    for hero, deck in (("silent_shadow", ()), ("bullseye", ("fluffy", "hopper", "spooky"))):
        state = table(["hook"], ["peanut", "challenge"], parties={0: [hero]}, deck=deck)
        state = then(state, 0, RollFor(hero))
        _, state = dice(state, 6, 6)
        _, state = passes(state)
        tries = [move for move in offered(state, 0) if isinstance(move, ChooseUnseen)]
        assert tries
        for move in tries:
            seen = build_view(state, Seat(0))
            events, _ = preview_move(seen, Seat(0), move)
            assert move.card in apply_events(seen, events).cards_at(HANDS[0])


@pytest.mark.clause("HTS-DECK-1", "HTS-DO-1")
def test_a_lot_larger_than_the_deck_goes_on_with_the_shuffled_discard_pile() -> None:
    state = with_deck(table(["hook"], ["spooky"], parties={0: ["peanut"]}, discard=["fluffy", "bun_bun"]), "snowball")
    _, state = rolls(then(state, 0, RollFor("peanut")), 6, 6)
    _, state = when(state, CHANCE, ShuffleResult(("bun_bun", "fluffy")))
    assert state.cards_in_hand(0) == ("hook", "snowball", "bun_bun")


@pytest.mark.clause("HTS-TEXT-2", "CARDS-CHOICE-2")
def test_a_text_that_goes_round_and_finds_nobody_says_so() -> None:
    state = table(["hook"], ["spooky"], parties={0: ["smooth_mimimeow"]}, leaders={1: "the_divine_arrow"})
    events, _ = rolls(then(state, 0, RollFor("smooth_mimimeow")), 6, 6)
    assert of(events, NothingToChoose) == [NothingToChoose("smooth_mimimeow")]


@pytest.mark.clause("HTS-TEXT-2", "HTS-AMB-60")
def test_bullseye_with_both_piles_empty_says_that_nothing_comes_of_it() -> None:
    state = with_deck(table(["hook"], ["spooky"], parties={0: ["bullseye"]}))
    events, state = rolls(then(state, 0, RollFor("bullseye")), 6, 6)
    assert of(events, EffectLapsed) == [EffectLapsed("bullseye", "look")]
    assert state.agenda[-1].question_name() == "hts.Turn"


@pytest.mark.clause("HTS-EDGE-5")
def test_leaving_is_legal_and_nobody_is_advised_to() -> None:
    state = table([], ["hook"])
    assert Leave() in list(find_legal_moves(state, Seat(0)))
    assert Leave() not in find_closest_legal(state, Seat(0), RollFor("peanut"))

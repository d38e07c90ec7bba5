"""Words, aim and components: what the terms mean, how the match is won, and what lies in the box."""

from __future__ import annotations

from collections import Counter

import pytest

from referee.cardscript.moves import ChooseCard, ChoosePlayer, Decline
from referee.engine.chance import RollResult
from referee.engine.game import Setup
from referee.engine.referee import judge_move
from referee.engine.rulings import MalformedInput
from referee.engine.seats import CHANCE, Seat
from referee.engine.zones import list_copies
from referee.games.here_to_slay import GAME
from referee.games.here_to_slay.components import CLASSES, DISCARD, FACES, LEADER_BOX, MAIN, MONSTER_BOX, WHOLE_BOX
from referee.games.here_to_slay.events.cards import CardDrawn
from referee.games.here_to_slay.events.plays import ItemEquipped, RollSettled
from referee.games.here_to_slay.events.turns import GameWon, PointsSpent, TurnStarted
from referee.games.here_to_slay.moves import (
    Attack,
    Challenge,
    DrawOne,
    EndTurn,
    Modify,
    PlayCard,
    RollFor,
)
from tests.games.course import asked, of, refusal, then, when
from tests.games.here_to_slay.given import dice, names, offered, passes, rolls, stands, table

SIX = {0: ["bad_axe", "calming_voice", "bullseye", "kit_napper", "bun_bun", "peanut"]}


# ---- words ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("HTS-TERM-1")
def test_other_players_are_all_but_the_one_spoken_of_and_clockwise_is_up_the_seat_numbers() -> None:
    state = table([], ["hook"], ["bullseye"], parties={1: ["heavy_bear"]}, turn=1)
    assert state.other_seats(1) == (2, 0)
    state = table(["hook"], [], ["bullseye"], parties={1: ["heavy_bear"]}, turn=1)
    _, asking = dice(then(state, 1, RollFor("heavy_bear")), 3, 3)
    assert offered(asking, 1) == [ChoosePlayer(2), ChoosePlayer(0)]
    events, after = when(then(state, 1, EndTurn()), 2, EndTurn())
    assert of(events, TurnStarted) == [TurnStarted(0, 3)]
    assert after.active == 0
    assert asked(after) == {0}


@pytest.mark.clause("HTS-TERM-2")
def test_a_point_is_an_action_point_and_only_actions_spend_it() -> None:
    events, state = when(table([], []), 0, DrawOne())
    assert of(events, PointsSpent) == [PointsSpent(0, 1, 2)]
    assert state.points == 2


@pytest.mark.clause("HTS-TERM-3")
def test_a_stolen_hero_works_for_the_player_in_whose_party_it_lies() -> None:
    state = table(["entangling_trap", "hook", "bullseye"], ["wildshot"], parties={1: ["peanut"]})
    _, state = stands(state, 0, PlayCard("entangling_trap"))
    assert state.controller_of("peanut") == 0
    events, after = rolls(then(state, 0, RollFor("peanut")), 4, 4)
    assert [event.seat for event in of(events, CardDrawn)] == [0, 0]
    later = then(after, 0, EndTurn())
    assert refusal(later, 1, RollFor("peanut")).reason == "hero_of_another"


@pytest.mark.clause("HTS-TERM-3")
def test_an_ability_serves_the_owner_of_its_card() -> None:
    state = table(["critical_boost"], ["hook"], [], leaders={1: "the_cloaked_sage"})
    events, _ = stands(state, 0, PlayCard("critical_boost"))
    assert names(events)[-1] == "CardDrawn"  # then a card is to be discarded: nobody asks the Sage of seat 1
    state = table(["enchanted_spell"], ["hook"], [], leaders={0: "the_cloaked_sage"})
    _, state = stands(state, 0, PlayCard("enchanted_spell"))
    assert asked(state) == {0}
    assert Decline() in offered(state, 0)


@pytest.mark.clause("HTS-TERM-4")
def test_challenger_and_challenged_are_both_rollers_and_a_modifier_names_its_roller() -> None:
    state = table(["peanut", "modifier_plus_4"], ["challenge"], ["modifier_minus_4"])
    state = then(state, 0, PlayCard("peanut"))
    state = then(state, 1, Challenge())
    _, state = dice(state, 1, 2, 5, 6)
    against = refusal(state, 2, Modify("modifier_minus_4", -4, 2))
    assert against.reason == "not_in_this_challenge"
    _, state = when(state, 2, Modify("modifier_minus_4", -4, 0))
    events, _ = passes(state)
    assert [(event.seat, event.kind, event.total) for event in of(events, RollSettled)] == [
        (1, "challenger", 3),
        (0, "challenged", 7),
    ]


@pytest.mark.clause("HTS-TERM-5")
@pytest.mark.parametrize("item", ["sealing_key", "really_big_ring"])
def test_who_may_take_an_item_may_take_a_cursed_one(item: str) -> None:
    state = table([], [], parties={0: ["lookie_rookie"]}, discard=[item, "enchanted_spell"])
    _, state = rolls(then(state, 0, RollFor("lookie_rookie")), 3, 3)
    assert state.cards_in_hand(0) == (item,)


@pytest.mark.clause("HTS-TERM-6")
def test_the_innermost_frame_is_finished_before_the_outer_one_goes_on() -> None:
    state = table(["really_big_ring"], [], parties={0: ["hook"]})
    events, state = rolls(then(state, 0, RollFor("hook")), 3, 3)
    assert asked(state) == {0}
    events, state = when(state, 0, ChooseCard("really_big_ring"))
    assert names(events) == ["PlayAnnounced", "PlayStood", "ItemEquipped", "CardDrawn"]


@pytest.mark.clause("HTS-TERM-7")
def test_a_standing_value_is_added_without_anybody_doing_anything() -> None:
    for leader, total in (("the_charismatic_song", 7), ("the_divine_arrow", 6)):
        state = table([], [], parties={0: ["peanut"]}, leaders={0: leader})
        events, _ = rolls(then(state, 0, RollFor("peanut")), 2, 4)
        assert of(events, RollSettled)[0].total == total


@pytest.mark.clause("HTS-TERM-8")
def test_a_card_text_beats_the_clauses() -> None:
    plain = table(["bard_mask"], ["challenge"], parties={0: ["hook"]})
    assert asked(then(plain, 0, PlayCard("bard_mask"))) == {1}  # plays may be challenged …
    state = table(["bard_mask"], ["challenge"], parties={0: ["hook"]}, slain={0: ["warworn_owlbear"]})
    events, _ = when(state, 0, PlayCard("bard_mask"))
    assert of(events, ItemEquipped)  # … but a card says otherwise


# ---- aim and number of players -------------------------------------------------------------------------------


@pytest.mark.clause("HTS-AIM-2")
def test_three_monsters_win_and_so_do_six_classes() -> None:
    state = table([], [], parties={0: ["peanut"]}, slain={0: ["orthus", "bloodwing"]}, row=["terratuga"])
    events, after = dice(then(state, 0, Attack("terratuga")), 5, 6)
    assert of(events, GameWon) == [GameWon(0, "three_monsters")]
    outcome = GAME.find_outcome(after)
    assert outcome is not None
    assert outcome.winners == (0,)
    events, after = when(table([], [], parties=SIX), 0, EndTurn())
    assert of(events, GameWon) == [GameWon(0, "six_classes")]
    assert GAME.find_outcome(after) is not None


@pytest.mark.clause("HTS-AIM-3", "HTS-AMB-72")
def test_two_to_six_players() -> None:
    for seats in range(2, 7):
        assert len(GAME.build_table(Setup("standard", seats)).seats_at_table) == seats
    for seats in (1, 7):
        with pytest.raises(MalformedInput):
            GAME.build_table(Setup("standard", seats))


# ---- the box -------------------------------------------------------------------------------------------------


def kinds(*wanted: str) -> list[str]:
    """Every card of these kinds, each copy once."""
    return [card for card in list_copies(WHOLE_BOX) if FACES[card].kind in wanted]


@pytest.mark.clause("HTS-COMP-1")
def test_the_box_holds_115_cards_six_leaders_fifteen_monsters_and_two_dice() -> None:
    assert (sum(MAIN.values()), sum(LEADER_BOX.values()), sum(MONSTER_BOX.values())) == (115, 6, 15)
    state = then(table([], [], parties={0: ["peanut"]}), 0, RollFor("peanut"))
    for pips in ((3,), (3, 4, 1), (0, 4), (3, 7)):
        assert refusal(state, CHANCE, RollResult(pips)).reason == "no_such_roll"
    then(state, CHANCE, RollResult((6, 1)))


@pytest.mark.clause("HTS-COMP-2")
def test_the_main_deck_has_five_kinds_and_a_cursed_item_counts_as_an_item() -> None:
    assert {FACES[card].kind.removeprefix("cursed_") for card in MAIN} == {
        "hero", "item", "magic", "modifier", "challenge"
    }  # fmt: skip


@pytest.mark.clause("HTS-COMP-3")
def test_every_card_is_there_as_often_as_the_box_has_it() -> None:
    counted = Counter(FACES[card].kind for card in list_copies(WHOLE_BOX))
    assert counted == {
        "hero": 48, "item": 11, "cursed_item": 4, "magic": 13, "modifier": 25, "challenge": 14, "leader": 6,
        "monster": 15,
    }  # fmt: skip
    assert Counter(FACES[card].class_ for card in kinds("hero")) == dict.fromkeys(CLASSES, 8)
    assert {MAIN[card] for card in kinds("hero")} == {1}
    assert sorted(FACES[card].class_ for card in LEADER_BOX) == sorted(CLASSES)


@pytest.mark.clause("HTS-COMP-4")
def test_every_hero_and_leader_has_exactly_one_of_the_six_classes() -> None:
    assert CLASSES == ("fighter", "guardian", "ranger", "thief", "wizard", "bard")
    for card in kinds("hero", "leader"):
        assert FACES[card].class_ in CLASSES
    for card in kinds("item", "cursed_item", "magic", "modifier", "challenge", "monster"):
        assert not FACES[card].class_


@pytest.mark.clause("HTS-COMP-5")
@pytest.mark.parametrize("hero", SIX[0])
def test_a_grey_symbol_takes_a_hero_of_any_class(hero: str) -> None:
    assert judge_move(table([], [], parties={0: [hero]}, row=["terratuga"]), Seat(0), Attack("terratuga")).granted
    assert refusal(table([], [], row=["terratuga"]), 0, Attack("terratuga")).reason == "no_hero_for_it"


@pytest.mark.clause("HTS-COMP-6")
def test_classes_matter_for_attacks_for_winning_and_for_two_heroes() -> None:
    two = table([], [], parties={0: ["peanut", "napping_nibbles"]}, row=["orthus"], leaders={0: "the_charismatic_song"})
    assert refusal(two, 0, Attack("orthus")).reason == "class_is_missing"
    five = table([], [], parties={0: SIX[0][:5]}, leaders={0: "the_cloaked_sage"})
    assert not of(when(five, 0, EndTurn())[0], GameWon)
    state = table(["hook"], ["bullseye"], ["wildshot"], leaders={1: "the_fist_of_reason"}, parties={0: ["tough_teddy"]})
    _, state = rolls(then(state, 0, RollFor("tough_teddy")), 3, 3)
    assert [len(state.cards_in_hand(seat)) for seat in range(3)] == [1, 0, 1]


@pytest.mark.clause("HTS-COMP-7")
def test_reference_cards_do_nothing_and_each_copy_of_a_card_is_a_card_of_its_own() -> None:
    assert not [card for card in FACES if card not in WHOLE_BOX]  # nothing but the decks: no card to refer to
    state = table(["modifier_plus_4", "modifier_plus_4"], [], parties={0: ["peanut"]})
    _, state = dice(then(state, 0, RollFor("peanut")), 1, 1)
    state = then(state, 0, Modify("modifier_plus_4", 4, 0))
    assert (state.cards_in_hand(0), state.cards_at(DISCARD)) == (("modifier_plus_4",), ("modifier_plus_4",))
    events, _ = when(state, 0, Modify("modifier_plus_4", 4, 0))
    assert of(events, RollSettled)[0].total == 10

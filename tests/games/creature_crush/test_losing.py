"""Cards lost without anybody choosing them: direct attacks, the top of a deck, cards out of a hand, by chance from the
field; on the server, and at a real table where somebody says what was turned over."""

from __future__ import annotations

from random import Random

import pytest

from referee.engine.chance import PickResult, TurnUpResult
from referee.engine.events import Event, Move, apply_events, replace_fields
from referee.engine.referee import build_view, draw_chance_move, resolve_pending_steps, seats_that_must_act
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import Frame, Step, StepPushed
from referee.engine.zones import CardsForgotten
from referee.games.creature_crush.components import DECKS, HANDS, HELLS
from referee.games.creature_crush.events.cards import CardsDestroyed, CreatureRevived
from referee.games.creature_crush.events.course import TargetsDrawn
from referee.games.creature_crush.events.decks import CardDrawn
from referee.games.creature_crush.events.field import EffectSkipped
from referee.games.creature_crush.moves import Attack, Order
from referee.games.creature_crush.rules.combat.losing import (
    Destroying,
    DirectHit,
    Discarding,
    Milling,
    RandomDestruction,
    destroy_by_text,
)
from referee.games.creature_crush.rules.drawing import CardNaming
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import TriggerEvent
from tests.games.course import asked, of, refused, then, when
from tests.games.creature_crush.table import BOX, names, offered, picked, place, table, with_real_cards

CRUSH = tuple(card for card, face in BOX.items() if not face.is_creature)


def lay(state: Table, step: Step) -> tuple[tuple[Event, ...], Table]:
    """The facts of a step laid on this table, above a frame for what it sets off, and the table then."""
    state = StepPushed(step).apply(StepPushed(Frame()).apply(state))
    events = resolve_pending_steps(state)
    return events, apply_events(state, events)


def into_hell(events: tuple[Event, ...]) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Where cards were destroyed, and which."""
    return [(event.sources, event.put) for event in of(events, CardsDestroyed)]


# ---- a direct attack ---------------------------------------------------------------------------------------------


@pytest.mark.clause("CC-DIRECT-1")
@pytest.mark.parametrize("attacker", ["spark_imp", "behemoth"])
def test_a_direct_attack_destroys_the_top_card_of_the_deck_whatever_its_attack(attacker: str) -> None:
    state = table({"A1": attacker}, decks=([], ["clay_guard", "ember_fox"]))
    events, state = lay(state, DirectHit(0, attacker))
    assert into_hell(events) == [((DECKS[1],), ("clay_guard",))]
    assert state.cards_at(HELLS[1]) == ("clay_guard",)
    assert state.cards_at(DECKS[1]) == ("ember_fox",)


@pytest.mark.clause("CC-DIRECT-1", "CC-ATTACK-3")
def test_an_attack_that_is_paid_and_meets_nobody_is_carried_out_to_the_end() -> None:
    state = table({"A1": "spark_imp"}, dice=(1, 5), decks=(["bone_pup"], ["clay_guard", "ember_fox"]))
    events, state = when(state, 0, Attack("spark_imp", (1,)))
    assert into_hell(events) == [((DECKS[1],), ("clay_guard",))]
    assert asked(state) == {0}


@pytest.mark.clause("CC-DIRECT-2", "CC-AMB-24")
def test_with_an_empty_deck_a_random_hand_card_is_destroyed() -> None:
    state = table({"A1": "spark_imp"}, hands=([], ["clay_guard", "ember_fox", "bog_leech"]), decks=([], []))
    _, state = lay(state, DirectHit(0, "spark_imp"))
    assert seats_that_must_act(state) == {CHANCE}
    found = [draw_chance_move(state, Random(seed).randrange) for seed in range(20)]
    assert {move.cards for move in found if isinstance(move, PickResult)} == {
        (card,) for card in state.cards_in_hand(1)
    }
    events, state = picked(state, "ember_fox")
    assert into_hell(events) == [((HANDS[1],), ("ember_fox",))]
    assert state.cards_in_hand(1) == ("clay_guard", "bog_leech")


@pytest.mark.clause("CC-DIRECT-2")
def test_the_only_hand_card_needs_no_chance() -> None:
    events, _ = lay(table({"A1": "spark_imp"}, hands=([], ["clay_guard"]), decks=([], [])), DirectHit(0, "spark_imp"))
    assert into_hell(events) == [((HANDS[1],), ("clay_guard",))]


@pytest.mark.clause("CC-DIRECT-2", "CC-AMB-26")
def test_without_deck_and_hand_a_random_crush_card_is_destroyed_face_up_and_does_nothing() -> None:
    theirs = {"C1": CRUSH[0], "C3": CRUSH[1], "B1": "clay_guard"}
    _, state = lay(table({"A1": "spark_imp"}, theirs, decks=([], [])), DirectHit(0, "spark_imp"))
    assert isinstance(state.agenda[-1], RandomDestruction)
    assert offered(state, CHANCE) == [PickResult((place(1, "C1"),)), PickResult((place(1, "C3"),))]
    assert refused(state, CHANCE, PickResult(("clay_guard",)))[0] == "not_among_these"
    events, state = picked(state, place(1, "C3"))
    assert [event.targets for event in of(events, TargetsDrawn)] == [(place(1, "C3"),)]
    assert state.cards_at(HELLS[1]) == (CRUSH[1],)
    assert state.card_at(place(1, "C1")) == CRUSH[0]


@pytest.mark.clause("CC-DIRECT-2")
def test_with_nothing_else_left_a_random_creature_is_destroyed() -> None:
    _, state = lay(table({"A1": "spark_imp"}, {"B2": "clay_guard", "A3": "ember_fox"}, decks=([], [])),
                   DirectHit(0, "spark_imp"))  # fmt: skip
    assert {move.cards for move in offered(state, CHANCE) if isinstance(move, PickResult)} == {
        ("clay_guard",), ("ember_fox",),
    }  # fmt: skip
    _, state = picked(state, "ember_fox")
    assert state.list_creatures(1) == ("clay_guard",)
    assert state.cards_at(HELLS[1]) == ("ember_fox",)


@pytest.mark.clause("CC-DIRECT-2")
def test_a_player_with_nothing_left_loses_nothing_more() -> None:
    events, state = lay(table({"A1": "dusk_bat"}, decks=(["bone_pup"], [])), DirectHit(0, "dusk_bat"))
    assert [event.why for event in of(events, EffectSkipped)] == ["nothing_left"]
    assert state.cards_in_hand(0) == ()  # its card was not destroyed, so the bat draws nothing


@pytest.mark.clause("CC-AMB-25")
def test_one_attack_destroys_one_card_though_the_deck_is_empty_then() -> None:
    state = table({"A1": "spark_imp"}, hands=([], ["ember_fox"]), decks=([], ["gutter_rat"]))
    events, state = lay(state, DirectHit(0, "spark_imp"))
    assert [card for _, card in into_hell(events)] == [("gutter_rat",)]
    _, state = when(state, 1, *offered_places(state))
    assert state.cards_in_hand(1) == ("ember_fox",)
    assert state.list_creatures(1) == ("gutter_rat",)  # its Trap revives it; that was all


def offered_places(state: Table) -> list[Move]:
    """The first answer of seat 1 that is no giving up, if seat 1 is asked."""
    return [move for move in offered(state, 1) if move.playable_at_random][:1] if asked(state) == {1} else []


@pytest.mark.clause("CC-DIRECT-1", "CC-CHAIN-2", "CC-KEY-TRAP-1")
def test_what_the_attacker_does_and_the_trap_of_the_card_come_at_once_and_the_active_player_orders_them() -> None:
    state = table({"A1": "dusk_bat"}, decks=(["bone_pup"], ["gutter_rat", "ember_fox"]))
    _, state = lay(state, DirectHit(0, "dusk_bat"))
    assert asked(state) == {0}
    assert {move for move in offered(state, 0) if isinstance(move, Order)} == {
        Order("gutter_rat", "trap"), Order("dusk_bat", "attacks_directly"),
    }  # fmt: skip
    events, state = when(state, 0, Order("dusk_bat", "attacks_directly"))
    while asked(state) == {1}:
        more, state = when(state, 1, *offered_places(state))
        events += more
    done = [name for name in names(events) if name in ("CardDrawn", "CreatureRevived")]
    assert done == ["CardDrawn", "CreatureRevived"]
    assert (len(of(events, CardDrawn)), len(of(events, CreatureRevived))) == (1, 1)


@pytest.mark.clause("CC-DIRECT-1")
def test_what_the_attacker_does_comes_after_a_crush_card_or_creature_too() -> None:
    for theirs in ({"C2": CRUSH[0]}, {"B2": "clay_guard"}):
        events, state = lay(table({"A1": "dusk_bat"}, theirs, decks=(["bone_pup"], [])), DirectHit(0, "dusk_bat"))
        assert len(of(events, CardsDestroyed)) == 1
        assert state.cards_in_hand(0) == ("bone_pup",)


# ---- the top of a deck -------------------------------------------------------------------------------------------


@pytest.mark.clause("CC-GLOSS-6", "CC-KEY-TRAP-1")
def test_the_top_cards_go_to_hell_one_by_one_and_never_more_than_there_are() -> None:
    state = table(decks=([], ["clay_guard", "ember_fox"]), hands=([], ["bog_leech"]))
    events, state = lay(state, Milling(1, 5))
    assert into_hell(events) == [((DECKS[1],), ("clay_guard",)), ((DECKS[1],), ("ember_fox",))]
    assert state.cards_in_hand(1) == ("bog_leech",)


@pytest.mark.clause("CC-AMB-21", "CC-KEY-TRAP-1")
def test_a_trap_works_from_the_deck_whoever_caused_it_and_not_before_all_are_gone() -> None:
    events, _ = lay(table(decks=(["gutter_rat", "ember_fox"], [])), Milling(0, 2))
    order = [name for name in names(events) if name in ("CardsDestroyed", "CreatureRevived")]
    assert order[:2] == ["CardsDestroyed", "CardsDestroyed"]


@pytest.mark.clause("CC-GLOSS-6", "KERNEL-CENSUS-1")
def test_at_a_real_table_each_card_turned_over_is_said() -> None:
    state = with_real_cards(table(decks=([], ["clay_guard", "ember_fox"]), hells=(["bog_leech"], [])), 0)
    _, state = lay(state, Milling(1, 2))
    assert seats_that_must_act(state) == {CHANCE}
    assert refused(state, CHANCE, TurnUpResult("bog_leech"))[0] == "no_copy_left"
    assert refused(state, CHANCE, TurnUpResult("bog_leech#1"))[0] == "no_such_card"
    events, state = when(state, CHANCE, TurnUpResult("hex_toad"))
    assert into_hell(events) == [((DECKS[1],), ("hex_toad",))]
    events, state = when(state, CHANCE, TurnUpResult(CRUSH[4]))
    assert state.cards_at(HELLS[1]) == ("hex_toad", CRUSH[4])
    assert state.cards_at(DECKS[1]) == ()


@pytest.mark.clause("KERNEL-CENSUS-1")
def test_what_a_bot_holds_is_not_told_by_what_may_be_turned_up() -> None:
    state = with_real_cards(table(hands=(["moss_tick"], []), decks=([], ["clay_guard"])), 0)
    _, state = lay(state, Milling(1, 1))
    assert TurnUpResult("moss_tick") in offered(state, CHANCE)


# ---- out of a hand -----------------------------------------------------------------------------------------------


@pytest.mark.clause("CC-AMB-24", "CC-GLOSS-7")
def test_chance_takes_so_many_cards_of_the_hand_at_once() -> None:
    state = table(hands=([], ["clay_guard", "ember_fox", "bog_leech"]))
    _, state = lay(state, Discarding(1, 2))
    assert refused(state, CHANCE, PickResult(("clay_guard",)))[0] == "name_so_many"
    assert refused(state, CHANCE, PickResult(("clay_guard", "clay_guard")))[0] == "not_these_cards"
    assert refused(state, CHANCE, PickResult(("clay_guard", "hex_toad")))[0] == "not_these_cards"
    events, state = picked(state, "bog_leech", "clay_guard")
    assert into_hell(events) == [((HANDS[1],) * 2, ("bog_leech", "clay_guard"))]
    assert state.cards_in_hand(1) == ("ember_fox",)


@pytest.mark.clause("CC-AMB-24")
def test_a_hand_that_has_fewer_goes_whole_and_an_empty_one_not_at_all() -> None:
    events, state = lay(table(hands=([], ["clay_guard", "ember_fox"])), Discarding(1, 3))
    assert state.cards_in_hand(1) == ()
    assert len(of(events, CardsDestroyed)) == 1
    events, state = lay(table(), Discarding(1, 1))
    assert of(events, CardsDestroyed) == []
    assert asked(state) == {0}


@pytest.mark.clause("CC-AMB-21", "CC-CHAIN-2")
def test_traps_of_cards_discarded_together_are_ordered_by_the_active_player() -> None:
    state = table(hands=([], ["gutter_rat", "crypt_keeper"]))
    _, state = lay(state, Discarding(1, 2))
    assert asked(state) == {0}
    assert {move for move in offered(state, 0) if isinstance(move, Order)} == {
        Order("gutter_rat", "trap"), Order("crypt_keeper", "trap"),
    }  # fmt: skip


@pytest.mark.clause("CC-AMB-24", "KERNEL-CENSUS-1")
def test_at_a_real_table_it_is_said_what_was_drawn_out_of_the_hand_of_a_person() -> None:
    state = with_real_cards(table(hands=([], ["clay_guard"]), hells=(["bog_leech"], [])), 0)
    _, state = lay(state, Discarding(1, 1))
    assert refused(state, CHANCE, PickResult(("bog_leech",)))[0] == "no_copy_left"
    _, state = picked(state, "hex_toad")
    assert (state.cards_in_hand(1), state.cards_at(HELLS[1])) == ((), ("hex_toad",))


@pytest.mark.clause("KERNEL-CENSUS-1")
def test_at_a_real_table_a_card_out_of_the_hand_of_a_bot_is_one_that_was_read() -> None:
    state = with_real_cards(table(hands=([], ["clay_guard", "ember_fox"])), 1)
    _, state = lay(state, Discarding(1, 1))
    events, state = picked(state, "ember_fox")
    assert state.cards_in_hand(1) == ("clay_guard",)
    assert of(events, CardsForgotten) == []


@pytest.mark.clause("KERNEL-CENSUS-1")
def test_a_hand_that_was_read_wrongly_is_read_anew() -> None:
    state = with_real_cards(table(hands=([], ["clay_guard", "ember_fox"])), 1)
    _, state = lay(state, Discarding(1, 1))
    events, state = picked(state, "hex_toad")  # no refusal: it would tell what the bot holds
    assert len(of(events, CardsForgotten)) == 1
    assert state.cards_at(HELLS[1]) == ("hex_toad",)
    assert state.agenda[-1] == CardNaming(1, 1, HANDS[1])
    _, state = picked(state, "clay_guard")
    assert state.cards_in_hand(1) == ("clay_guard",)


# ---- from the field ----------------------------------------------------------------------------------------------


@pytest.mark.clause("CC-AMB-26", "KERNEL-CENSUS-1")
def test_at_a_real_table_it_is_said_what_face_down_cards_were() -> None:
    theirs = {"C1": CRUSH[0], "C2": CRUSH[1], "B1": "clay_guard"}
    state = with_real_cards(table({}, theirs, hells=([CRUSH[2]], [])), 0)
    places = (place(1, "C1"), place(1, "C2"))
    _, state = lay(state, Destroying((*places, "clay_guard")))
    assert refused(state, CHANCE, PickResult((CRUSH[0],)))[0] == "name_what_lies_there"
    assert refused(state, CHANCE, PickResult((CRUSH[0], CRUSH[2])))[0] == "no_copy_left"
    assert refused(state, CHANCE, PickResult((CRUSH[0], "hex_toad")))[0] == "no_crush_card"
    events, state = picked(state, CRUSH[5], CRUSH[6])
    assert of(events, CardsDestroyed)[0].took == ("?", "?", "clay_guard")
    assert state.cards_at(HELLS[1]) == (CRUSH[5], CRUSH[6], "clay_guard")


@pytest.mark.clause("CC-AMB-26")
def test_where_the_referee_knows_what_lies_there_nobody_is_asked() -> None:
    state = table({}, {"C1": CRUSH[0]})
    events = tuple(destroy_by_text(state, (place(1, "C1"),)))
    assert into_hell(events) == [((place(1, "C1"),), (CRUSH[0],))]
    assert [type(event) for event in destroy_by_text(with_real_cards(state, 0), (place(1, "C1"),))] == [StepPushed]


@pytest.mark.clause("KERNEL-CENSUS-1")
def test_a_face_down_card_that_was_read_wrongly_is_said_anew() -> None:
    state = with_real_cards(table({}, {"C1": CRUSH[0]}), 1)
    state = with_hell(state, CRUSH[0])
    _, state = lay(state, Destroying((place(1, "C1"),)))
    assert seats_that_must_act(state) == {CHANCE}
    _, state = picked(state, CRUSH[1])
    assert state.cards_at(HELLS[1]) == (CRUSH[1],)


def with_hell(state: Table, card: str) -> Table:
    """The same table with this card in the hell of seat 0."""
    return replace_fields(state, zones={**state.zones, HELLS[0]: (card,)})


@pytest.mark.clause("CC-DIRECT-2", "KERNEL-CENSUS-1")
def test_at_a_real_table_chance_first_finds_the_place_and_then_the_card_is_said() -> None:
    state = with_real_cards(table({"A1": "dusk_bat"}, {"C1": CRUSH[0], "C2": CRUSH[1]}, decks=(["bone_pup"], [])))
    _, state = lay(state, DirectHit(0, "dusk_bat"))
    _, state = picked(state, place(1, "C2"))
    assert isinstance(state.agenda[-1], Destroying)
    events, state = picked(state, CRUSH[3])
    assert state.cards_at(HELLS[1]) == (CRUSH[3],)
    assert len(of(events, CardDrawn)) == 1  # then the bat has attacked directly


def test_what_chance_is_to_find_is_the_same_for_every_eye() -> None:
    done = TriggerEvent("direct_done", 0, {"attacker": ("spark_imp",)})
    step = RandomDestruction("spark_imp", (place(1, "C1"), place(1, "C2")), done)
    _, state = lay(table({"A1": "spark_imp"}, {"C1": CRUSH[0], "C2": CRUSH[1]}), step)
    for seat in (0, 1):
        assert build_view(state, Seat(seat)).agenda[-1] == step
    assert then(state, CHANCE, PickResult((place(1, "C1"),))).card_at(place(1, "C2")) == CRUSH[1]

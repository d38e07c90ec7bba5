"""What later rulesets read otherwise: each second reading beside the first, which old matches keep."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from referee.engine.codec import decode_named, encode
from referee.engine.events import apply_events
from referee.engine.game import Setup
from referee.engine.reasons.preconditions import find_broken_preconditions
from referee.engine.referee import (
    collect_granting_clauses,
    draw_chance_move,
    play_move,
    resolve_pending_steps,
    sample_legal_move,
    seats_that_must_act,
)
from referee.engine.rulebook.book import BookError
from referee.engine.rulebook.editions import CardBookError
from referee.engine.seats import CHANCE
from referee.engine.steps import Frame, Step
from referee.games.creature_crush import GAME, components
from referee.games.creature_crush.card_attributes import StaticAbility, parse_face
from referee.games.creature_crush.events.cards import CardsDestroyed
from referee.games.creature_crush.events.course import BattleEnded
from referee.games.creature_crush.moves import (
    Attack,
    DeclineDraw,
    EndCombat,
    EndTurn,
    Flip,
    MoveCreature,
    OfferDraw,
    Order,
    Summon,
)
from referee.games.creature_crush.rules.actions.summoning import Placing, take_control
from referee.games.creature_crush.rules.combat.attacking import find_targets
from referee.games.creature_crush.rules.combat.losing import Milling
from referee.games.creature_crush.rules.ending import find_result
from referee.games.creature_crush.rules.triggers import destroy_cards, return_creatures
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.texts import programs
from referee.games.creature_crush.values import LastingChange
from tests.games.course import asked, of, refusal, refused, settled, then, when
from tests.games.creature_crush.card_moves import calmly
from tests.games.creature_crush.table import names, offered, table
from tests.games.creature_crush.wording import marked_up, read

MOTH = "lantern_moth"  # no attack points, and an Action
EMPTY = ((), ())
DRAW_ONE = {"do": "draw", "count": 1}
Write = Callable[..., None]


def second(clause: str, state: Table) -> Table:
    """The same table, on which the second reading of this clause holds."""
    read_so: Table = GAME.apply_interpretations(state, {clause: 2})
    return read_so


@pytest.fixture
def written() -> Iterator[Write]:
    """Write other things on cards of the box, for as long as a test runs."""
    faces, known = dict(components.FACES.items()), dict(components.PROGRAMS.items())

    def write(name: str, *texts: str, **parts: Any) -> None:
        face = components.FACES[name]
        components.FACES[name] = replace(face, texts=tuple(dict.fromkeys((*face.texts, *texts))), **parts)
        for text in texts:
            components.PROGRAMS[name, text] = read(DRAW_ONE)

    yield write
    for name, face in faces.items():
        components.FACES[name] = face
    for key in [key for key in components.PROGRAMS if key not in known]:
        del components.PROGRAMS[key]


def test_the_newest_ruleset_takes_the_better_readings_and_the_first_stays_as_it_was() -> None:
    assert GAME.rulesets["1"] == {}
    opened = GAME.complete_setup(Setup("skirmish", 2))
    assert set(GAME.find_departures(opened.ruleset, {})) == {
        "CC-AMB-4", "CC-AMB-12", "CC-AMB-26", "CC-AMB-35", "CC-CHAIN-3",
    }  # fmt: skip


# ---- stalemate -----------------------------------------------------------------------------------------------


def weakly(where: str) -> Table:
    """Seat 0 has a moth there; the only other creature has lost its attack point for good."""
    weak = {"hex_toad": (LastingChange("attack", -1, False, "rune_smith"),)}
    piles: dict[str, Any] = {"hands": EMPTY, "decks": EMPTY, **({where: ((MOTH,), ())} if where != "A1" else {})}
    return table({"A1": MOTH} if where == "A1" else {}, {"A1": "hex_toad"}, lasting=weak, **piles)


@pytest.mark.clause("CC-AMB-4", "CC-AMB-4-R2")
@pytest.mark.parametrize("where", ["hands", "decks"])
def test_a_creature_without_attack_whose_action_is_still_to_come_is_no_stalemate(where: str) -> None:
    assert find_result(weakly(where)) == (-1, "stalemate_no_force")
    assert find_result(second("CC-AMB-4", weakly(where))) is None


@pytest.mark.clause("CC-AMB-4-R2")
def test_an_action_that_is_spent_changes_nothing_any_more_and_the_stalemate_cites_its_reading() -> None:
    events, _ = when(second("CC-AMB-4", weakly("A1")), 0, EndCombat())
    assert of(events, BattleEnded) == [BattleEnded(-1, "stalemate_no_force")]
    cited = collect_granting_clauses(second("CC-AMB-4", weakly("A1")), EndCombat(), events)
    assert "CC-AMB-4-R2" in cited
    assert "CC-AMB-4" not in cited


@pytest.mark.clause("CC-AMB-4-R2")
@pytest.mark.parametrize("text", ["turn_starts", "hell", "attacked"])
def test_a_creature_on_the_field_with_an_effect_that_can_still_happen_is_no_stalemate(
    text: str, written: Write
) -> None:
    written(MOTH, text)
    assert find_result(weakly("A1")) == (-1, "stalemate_no_force")
    assert find_result(second("CC-AMB-4", weakly("A1"))) is None


@pytest.mark.clause("CC-AMB-4-R2")
@pytest.mark.parametrize(("what", "number", "stuck"), [("attack", 1, False), ("attack", -1, True), ("armor", 1, True)])
def test_a_standing_value_counts_if_it_can_give_attack(what: str, number: int, stuck: bool, written: Write) -> None:
    written(MOTH, standing=(StaticAbility(what, number, "adjacent"),))
    assert (find_result(second("CC-AMB-4", weakly("A1"))) is not None) is stuck


# ---- traps of one mill ---------------------------------------------------------------------------------------


def milled(state: Table, step: Step) -> tuple[Any, Table]:
    """What follows when this step is carried out, down to the next question."""
    return settled_with(replace(state, agenda=(*state.agenda, Frame(), step)))


def settled_with(state: Table) -> tuple[Any, Table]:
    """The facts that follow by themselves, and the table then."""
    events = resolve_pending_steps(state)
    return events, apply_events(state, events)


TRAPS = ((), ("gutter_rat", "mirror_newt", "clay_guard"))


@pytest.mark.clause("CC-CHAIN-3", "CC-CHAIN-3-R2", "CC-CHAIN-2", "CC-KEY-TRAP-1")
def test_the_traps_of_one_mill_are_activated_at_once_and_ordered_by_the_active_player() -> None:
    given = table({"A1": "ember_fox"}, decks=TRAPS)
    _, one_by_one = milled(given, Milling(1, 3))
    assert not any(isinstance(move, Order) for move in offered(one_by_one, 0))
    events, asking = milled(second("CC-CHAIN-3", given), Milling(1, 3))
    assert len(of(events, CardsDestroyed)) == 3
    assert asked(asking) == {0}
    orders = [move for move in offered(asking, 0) if isinstance(move, Order)]
    assert orders == [Order("gutter_rat", "trap"), Order("mirror_newt", "trap")]
    assert names(when(asking, 0, Order("mirror_newt", "trap"))[0])[0] == "Damaged"


@pytest.mark.clause("CC-CHAIN-3-R2")
def test_a_mill_that_empties_the_deck_or_takes_one_card_sets_off_its_traps_too() -> None:
    given = second("CC-CHAIN-3", table({"A1": "ember_fox"}, decks=((), ("clay_guard", "mirror_newt"))))
    assert "Damaged" in names(milled(given, Milling(1, 5))[0])
    assert names(milled(given, Milling(1, 1))[0]) == ["CardsDestroyed"]
    last = second("CC-CHAIN-3", table({"A1": "ember_fox"}, decks=((), ("mirror_newt",))))
    assert "Damaged" in names(milled(last, Milling(1, 1))[0])


@pytest.mark.clause("CC-CHAIN-3-R2")
def test_a_window_cites_what_an_event_is_by_the_reading_that_holds() -> None:
    given = table({"A1": "ember_fox"}, {"B1": "frost_lout", "C1": "recoil"}, dice=(3,))
    move = Attack("ember_fox", (3,), "frost_lout")
    for state, name in ((given, "CC-CHAIN-3"), (second("CC-CHAIN-3", given), "CC-CHAIN-3-R2")):
        cited = collect_granting_clauses(state, move, when(state, 0, move)[0])
        assert {each for each in cited if each.startswith("CC-CHAIN-3")} == {name}


@pytest.mark.clause("CC-CHAIN-3")
def test_a_mill_is_stored_as_it_was_before_there_was_another_reading() -> None:
    assert "fallen" not in encode(Milling(1, 2))
    waiting = Milling(1, 2, fallen=("gutter_rat",))
    assert decode_named(encode(waiting), Step) == waiting


# ---- crush cards with Trap and Hell --------------------------------------------------------------------------


@pytest.mark.clause("CC-AMB-26", "CC-AMB-26-R2", "CC-KEY-TRAP-1")
def test_a_crush_card_with_trap_takes_effect_out_of_deck_and_hand(written: Write) -> None:
    written("volley", "trap")
    given = table({"A1": "ember_fox"}, dice=(3,), decks=((), ("volley", "clay_guard")))
    assert "CardDrawn" not in names(calmly(given, 0, Attack("ember_fox", (3,)))[0])
    _, after = calmly(second("CC-AMB-26", given), 0, Attack("ember_fox", (3,)))
    assert after.cards_in_hand(1) == ("clay_guard",)
    held = table({"A1": "ember_fox"}, dice=(3,), decks=((), ()), hands=((), ("volley",)), hells=((), ("hex_toad",)))
    assert "NothingToDraw" in names(calmly(second("CC-AMB-26", held), 0, Attack("ember_fox", (3,)))[0])


@pytest.mark.clause("CC-AMB-26", "CC-AMB-26-R2", "CC-KEY-HELL-1")
def test_a_crush_card_with_hell_takes_effect_when_it_is_destroyed_and_after_its_flip(written: Write) -> None:
    written("volley", "hell")
    crow = table(
        theirs={"C1": "volley"}, dice=(2,), hands=(("scrap_crow",), ()), decks=(("hex_toad",), ("clay_guard",))
    )
    move = Summon("scrap_crow", "B1", (2,))
    assert "CardDrawn" not in names(calmly(crow, 0, move)[0])
    assert calmly(second("CC-AMB-26", crow), 0, move)[1].cards_in_hand(1) == ("clay_guard",)
    flip = table({"C1": "volley"}, decks=(("hex_toad",), ("clay_guard",)))
    assert "CardDrawn" not in names(calmly(flip, 0, Flip("C1", "volley"))[0])
    events, after = calmly(second("CC-AMB-26", flip), 0, Flip("C1", "volley"))
    assert names(events)[-2:] == ["CrushSpent", "CardDrawn"]
    assert after.cards_in_hand(0) == ("hex_toad",)


def crush_card(**parts: Any) -> Any:
    """The entry of a crush card in a book."""
    words = {"en": "x", "de": "x"}
    return marked_up({"id": "x", "kind": "crush", "cost": 1, "name": words, "text": words, "flip": [DRAW_ONE], **parts})


@pytest.mark.clause("CC-AMB-26-R2")
def test_a_book_may_give_a_crush_card_trap_and_hell_but_not_revive_it() -> None:
    entry = crush_card(trap=[{"do": "recover", "card": "this"}], hell=[DRAW_ONE])
    assert parse_face("test", entry).texts == ("trap", "hell", "flip")
    assert set(programs.parse_texts("test", entry)) == {"trap", "hell", "flip"}
    for wrong in ({"trap": [{"do": "revive", "card": "this"}]}, {"hell": [{"do": "cancel_effect", "card": "this"}]}):
        with pytest.raises((BookError, CardBookError)):
            programs.parse_texts("test", crush_card(**wrong))
    with pytest.raises((BookError, CardBookError), match="a card of kind creature does"):
        parse_face("test", crush_card(action=[DRAW_ONE]))


# ---- a killer that dies with its victim ----------------------------------------------------------------------


@pytest.mark.clause("CC-AMB-35", "CC-AMB-35-R2")
def test_an_attacker_that_dies_with_its_victim_has_destroyed_it_by_the_second_reading() -> None:
    given = table({"A1": "ramming_ox"}, {"B1": "knife_goblin"}, dice=(7,), damage={"ramming_ox": 1})
    given = replace(given, dice=(1, 6))
    move = Attack("ramming_ox", (1, 6), "knife_goblin")
    first = when(given, 0, move)[0]
    assert len(of(first, CardsDestroyed)) == 1
    assert "CC-AMB-35" in collect_granting_clauses(given, move, first)
    events, after = when(second("CC-AMB-35", given), 0, move)
    assert len(of(events, CardsDestroyed)) == 2  # both, and then the top card of the deck
    assert len(after.list_hell(1)) == 2
    assert "CC-AMB-35-R2" in collect_granting_clauses(second("CC-AMB-35", given), move, events)


@pytest.mark.clause("CC-AMB-35-R2")
def test_an_attacker_that_dies_alone_has_destroyed_nobody() -> None:
    given = table({"A1": "ramming_ox"}, {"B1": "obsidian_guard"}, dice=(1, 6))
    given = second("CC-AMB-35", replace(given, damage={"ramming_ox": 3}))
    events, after = when(given, 0, Attack("ramming_ox", (1, 6), "obsidian_guard"))
    assert [event.took for event in of(events, CardsDestroyed)] == [("ramming_ox",)]
    assert after.list_hell(1) == ()


# ---- a taken Lively creature ---------------------------------------------------------------------------------


def taken(state: Table) -> Table:
    """Seat 0 takes control of the fox of seat 1."""
    filled = apply_events(state, tuple(take_control(state, 0, "ember_fox", "puppeteer")))
    return settled(then(filled, 0, *[move for move in offered(filled, 0) if move.TAG == "cc.choose_place"][:1]))


@pytest.mark.clause("CC-AMB-12", "CC-AMB-12-R2", "CC-AMB-27", "CC-KEY-LIVELY-1")
def test_a_lively_creature_that_was_taken_was_not_summoned_by_the_second_reading() -> None:
    given = table({"B1": "clay_guard"}, {"B2": "ember_fox"}, dice=(3,))
    moving = then(taken(given), 0, EndCombat())
    assert any(isinstance(move, MoveCreature) and move.creature == "ember_fox" for move in offered(moving, 0))
    later = then(taken(second("CC-AMB-12", given)), 0, EndCombat())
    assert not any(isinstance(move, MoveCreature) and move.creature == "ember_fox" for move in offered(later, 0))
    assert refused(later, 0, MoveCreature("ember_fox", "A1", 3)) == ("entered_this_turn", "CC-ACT-1")
    assert later.taken == ("ember_fox",)
    assert "taken" not in encode(given)


@pytest.mark.clause("CC-AMB-12-R2", "CC-KEY-LIVELY-1")
def test_a_lively_creature_that_was_summoned_keeps_its_extra_action() -> None:
    given = second("CC-AMB-12", table(dice=(3, 1), hands=(("ember_fox",), ())))
    after = then(given, 0, Summon("ember_fox", "B2", (3,)), EndCombat(), MoveCreature("ember_fox", "A1", 1))
    assert after.card_at("A1/0") == "ember_fox"


# ---- readings that a table may choose ------------------------------------------------------------------------


@pytest.mark.clause("CC-AMB-13", "CC-AMB-13-R2")
def test_by_the_second_reading_an_a_creature_attacks_the_one_opposite_too() -> None:
    given = table({"A1": "ember_fox"}, {"A1": "hex_toad"}, dice=(3,))
    assert find_targets(given, "ember_fox") == ("",)
    other = second("CC-AMB-13", given)
    assert set(find_targets(other, "ember_fox")) == {"hex_toad", ""}
    events, after = when(other, 0, Attack("ember_fox", (3,), "hex_toad"))
    assert after.damage == {"hex_toad": 2}
    cited = collect_granting_clauses(other, Attack("ember_fox", (3,), "hex_toad"), events)
    assert "CC-AMB-13-R2" in cited
    assert "CC-EFF-PERM-1" not in cited


@pytest.mark.clause("CC-AMB-11", "CC-AMB-11-R2", "CC-SUMMON-2")
def test_by_the_second_reading_a_b_place_one_column_on_opens_an_a_place() -> None:
    given = table({"B1": "clay_guard"}, dice=(3,), hands=(("ember_fox",), ()))
    assert refused(given, 0, Summon("ember_fox", "A2", (3,))) == ("only_same_column", "CC-AMB-11")
    other = second("CC-AMB-11", given)
    assert then(other, 0, Summon("ember_fox", "A2", (3,))).card_at("A2/0") == "ember_fox"
    assert refused(other, 0, Summon("ember_fox", "A3", (3,))) == ("no_bordering_ally", "CC-SUMMON-2")


@pytest.mark.clause("CC-AMB-16", "CC-AMB-16-R2")
def test_by_the_second_reading_nobody_flips_in_the_tactic_phase_of_the_own_turn() -> None:
    board = {"A1": "frost_lout", "C1": "second_wind"}
    given = table(board, dice=(1,), phase="tactic", damage={"frost_lout": 6})
    move = MoveCreature("frost_lout", "A2", 1)
    assert asked(then(given, 0, move)) == {0}
    assert Flip("C1", "second_wind") in offered(then(given, 0, move), 0)
    after = then(second("CC-AMB-16", given), 0, move)
    assert not any(isinstance(each, Flip) for each in offered(after, 0))
    window = replace(then(given, 0, move), readings={"CC-AMB-16": 2})
    assert refused(window, 0, Flip("C1", "second_wind"))[0] in ("own_combat_only", "window_asks_another")


@pytest.mark.clause("CC-AMB-3", "CC-AMB-3-R2", "CC-GLOSS-2", "CC-GLOSS-6")
def test_by_the_second_reading_a_creature_that_leaves_the_field_goes_to_whose_deck_it_comes_from() -> None:
    given, fox = table(theirs={"B2": "ember_fox"}), ["ember_fox"]
    usual = replace(taken(given), agenda=(Frame(),))
    gone = apply_events(usual, tuple(destroy_cards(usual, fox)))
    assert (gone.list_hell(0), gone.borrowed) == (("ember_fox",), ())
    lent = taken(second("CC-AMB-3", given))
    assert (lent.possessor_of("ember_fox"), lent.owner_of("ember_fox"), lent.borrowed) == (0, 1, ("ember_fox",))
    lent = replace(lent, agenda=(Frame(),))
    events = tuple(destroy_cards(lent, fox))
    after = apply_events(lent, events)
    assert (after.list_hell(0), after.list_hell(1), after.borrowed) == ((), ("ember_fox",), ())
    assert "CC-AMB-3-R2" in collect_granting_clauses(lent, EndCombat(), events)
    assert apply_events(lent, tuple(return_creatures(lent, fox))).cards_in_hand(1) == ("ember_fox",)
    home = apply_events(lent, tuple(Placing(1, "ember_fox", "taken").put_creature(lent, "B1/1")))
    assert (home.owner_of("ember_fox"), home.borrowed) == (1, ())


# ---- what is ours, and no rule of the book -------------------------------------------------------------------


@pytest.mark.clause("CC-AMB-33", "CC-END-3")
def test_an_offer_of_a_draw_is_bound_by_our_ruling() -> None:
    after = then(then(table(), 0, OfferDraw()), 1, DeclineDraw())
    assert refusal(after, 0, OfferDraw()).clauses[:2] == ("CC-END-3", "CC-AMB-33")
    assert "CC-AMB-33" in refusal(after, 1, OfferDraw()).clauses


@pytest.mark.clause("CC-AMB-34", "CC-START-1")
def test_what_a_card_does_as_the_start_phase_begins_comes_before_the_draw_by_our_ruling() -> None:
    given = table(theirs={"B1": "field_cook"}, phase="tactic", damage={"field_cook": 1})
    events, _ = when(given, 0, EndTurn())
    assert names(events).index("Healed") < names(events).index("CardDrawn")
    assert "CC-AMB-34" in collect_granting_clauses(given, EndTurn(), events)
    calm = table(theirs={"B1": "clay_guard"}, phase="tactic")
    assert "CC-AMB-34" not in collect_granting_clauses(calm, EndTurn(), when(calm, 0, EndTurn())[0])


# ---- whole matches -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", GAME.variants)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_match_by_all_second_readings_comes_to_its_end_and_breaks_no_precondition(variant: str, seed: int) -> None:
    dice = Random(seed)
    held = dict.fromkeys(GAME.numbered_interpretations, 2)
    state: Table = GAME.apply_interpretations(GAME.build_table(GAME.complete_setup(Setup(variant, 2))), held)
    state = settled(state)
    for number in range(4000):
        if GAME.find_outcome(state) is not None:
            return
        waited = seats_that_must_act(state)
        seat = CHANCE if CHANCE in waited else min(waited)
        by_chance = seat == CHANCE
        move = draw_chance_move(state, dice.randrange) if by_chance else sample_legal_move(state, seat, dice.randrange)
        assert move is not None
        assert list(find_broken_preconditions(state.view_for(seat), seat, move)) == []
        events = play_move(state, seat, move)
        for viewer in (0, 1):
            seen = apply_events(state.view_for(viewer), tuple(event.view_for(viewer) for event in events))
            assert seen == apply_events(state, events).view_for(viewer)
        state = apply_events(state, events)
        if number % 20 == 0 and state.agenda:
            assert GAME.positions.decode_position(GAME.positions.encode_position(state)) == state
    raise AssertionError("no end")

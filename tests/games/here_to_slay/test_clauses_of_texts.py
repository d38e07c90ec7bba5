"""A ruling cites the clauses of card texts where they act, and only there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from referee.cardscript.moves import Accept, ChooseCard, ChooseCards, ChoosePlayer, ChooseUnseen, Decline
from referee.engine.chance import PickResult, RollResult
from referee.engine.events import Move
from referee.engine.prompts import TimedOut
from referee.engine.referee import rule_on_move, seats_that_must_act
from referee.engine.seats import CHANCE, CLOCK, Seat
from referee.games.here_to_slay.moves import Challenge, Modify, Pass, PlayCard, RollFor
from referee.games.here_to_slay.state import Table
from tests.games.course import then
from tests.games.here_to_slay.given import table, with_deck
from tests.games.here_to_slay.in_a_roll import MINUS_4, PLUS_4, QUIET, cut_in, rolled

FLUFFY = ChooseCard("fluffy")
WELL = RollResult((6, 6))
Answer = tuple[int, Move]


def play(state: Table, *answers: Answer) -> tuple[set[str], Table]:
    """What the rulings on these moves rest on, and the table then. Whoever is asked for modifiers first passes."""
    found: set[str] = set()
    for seat, move in (*answers, (0, Pass())):
        while state.agenda and state.agenda[-1].window_kind and not isinstance(move, Challenge | Modify | TimedOut):
            asked = min(each for each in seats_that_must_act(state) if each >= 0)
            found |= set(rule_on_move(state, asked, Pass())[0].clauses)
            state = then(state, asked, Pass())
        if not isinstance(move, Pass):
            ruling, _ = rule_on_move(state, Seat(seat), move)
            assert ruling.granted, (move, ruling)
            found |= set(ruling.clauses)
            state = then(state, seat, move)
    return found, state


def rolls(hero: str, *hands: Iterable[str], answers: Iterable[Answer] = (), **more: Any) -> set[str]:
    """What the rulings rest on when seat 0 rolls well for a hero, from the dice on."""
    given = {"leaders": QUIET, **more, "parties": {0: [hero], **more.get("parties", {})}}
    rolling = then(table(*hands, **given), 0, RollFor(hero))
    return play(rolling, (CHANCE, WELL), *answers)[0]


HELD = (["hook", "peanut"], ["spooky", "fluffy"], ["bun_bun", "hopper"])
OTHERS = {1: ["fluffy"], 2: ["wildshot"]}


@pytest.mark.clause("HTS-DO-2")
def test_drawing_up_to_a_number() -> None:
    assert "HTS-DO-2" in rolls("wily_red", [], [])
    assert "HTS-DO-2" not in rolls("napping_nibbles", [], [])


@pytest.mark.clause("HTS-DO-3", "HTS-DO-43", "HTS-MAY-4")
def test_another_player_may_draw() -> None:
    pulls = ((CHANCE, PickResult(("spooky",))), (CHANCE, PickResult(("fluffy",))))
    drawn = rolls("plundering_puma", [], ["spooky", "fluffy", "hook"], answers=(*pulls, (1, Accept())))
    assert {"HTS-DO-3", "HTS-DO-43", "HTS-MAY-4"} <= drawn
    declined = rolls("plundering_puma", [], ["spooky", "fluffy", "hook"], answers=(*pulls, (1, Decline())))
    assert "HTS-DO-43" in declined
    assert "HTS-MAY-4" not in declined
    assert "HTS-DO-3" not in rolls("bad_axe", [], [], parties={1: ["fluffy"]})


@pytest.mark.clause("HTS-DO-39", "HTS-EACH-3", "HTS-EDGE-2")
def test_all_other_players_and_those_who_hold_nothing() -> None:
    skipped = {"HTS-EACH-3", "HTS-EDGE-2"}
    gives = ((1, ChooseCards(("spooky",))), (2, ChooseCards(("bun_bun",))))
    all_of_them = rolls("beary_wise", [], *HELD[1:], answers=gives)
    assert "HTS-DO-39" in all_of_them
    assert not skipped & all_of_them
    one = rolls("beary_wise", [], HELD[1], [], answers=gives[:1])
    assert {"HTS-DO-39", *skipped} <= one


@pytest.mark.clause("HTS-DO-41")
def test_players_with_a_class_in_the_party() -> None:
    given: dict[str, Any] = {
        "parties": {1: ["bad_axe"], 2: ["wildshot"]},
        "leaders": {1: "the_divine_arrow", 2: "the_cloaked_sage"},
    }
    assert "HTS-DO-41" in rolls("tough_teddy", [], HELD[1], HELD[2], answers=((1, ChooseCards(("spooky",))),), **given)
    assert "HTS-DO-41" in rolls("smooth_mimimeow", [], ["hook"], [], **{**given, "parties": {1: ["meowzio"]}})
    assert "HTS-DO-41" not in rolls("beary_wise", [], ["hook"], [], **given)


@pytest.mark.clause("HTS-DO-42")
def test_once_for_every_card_discarded() -> None:
    given: dict[str, Any] = {"parties": {1: ["fluffy", "spooky"]}}
    assert "HTS-DO-42" in rolls("qi_bear", ["hook", "peanut"], [], **given, answers=(
        (0, ChooseCards(("hook",))), (0, ChooseCard("fluffy")),
    ))  # fmt: skip
    assert "HTS-DO-42" not in rolls("qi_bear", ["hook", "peanut"], [], **given, answers=((0, ChooseCards(())),))


@pytest.mark.clause("HTS-DO-32", "HTS-AMB-25")
def test_the_stolen_hero_is_rolled_for_at_once() -> None:
    assert {"HTS-DO-32", "HTS-AMB-25"} <= rolls("wiggles", [], [], parties={1: ["fluffy"]})


@pytest.mark.clause("HTS-AMB-49", "HTS-MAY-4", "HTS-DO-43")
def test_a_challenge_that_is_shown_destroys_one_hero() -> None:
    given = {"parties": OTHERS, "deck": ["challenge", "challenge"]}
    shown = rolls("pan_chucks", [], [], [], **given, answers=((0, ChooseCard("challenge")),))
    assert {"HTS-AMB-49", "HTS-MAY-4", "HTS-DO-43"} <= shown
    hidden = rolls("pan_chucks", [], [], [], **given, answers=((0, Decline()),))
    assert {"HTS-AMB-49", "HTS-DO-43"} <= hidden
    assert "HTS-MAY-4" not in hidden


@pytest.mark.clause("HTS-AMB-56")
def test_a_second_card_is_pulled_from_the_same_hand() -> None:
    pulls = ((CHANCE, PickResult(("spooky",))), (CHANCE, PickResult(("challenge",))))
    held = ["spooky", "challenge", "enchanted_spell"]
    assert "HTS-AMB-56" in rolls("bear_claw", [], held, answers=pulls)
    assert "HTS-AMB-56" not in rolls("bear_claw", [], held, answers=((CHANCE, PickResult(("challenge",))),))


@pytest.mark.clause("HTS-AMB-60", "HTS-EDGE-4")
@pytest.mark.parametrize(("deck", "short"), [(("hook", "spooky", "fluffy"), False), (("hook", "spooky"), True)])
def test_a_deck_of_fewer_than_three_cards_is_looked_at(deck: tuple[str, ...], short: bool) -> None:
    state = with_deck(table([], [], parties={0: ["bullseye"]}, leaders=QUIET), *deck)
    assert ("HTS-AMB-60" in play(then(state, 0, RollFor("bullseye")), (CHANCE, WELL))[0]) is short


@pytest.mark.clause("HTS-AMB-46", "HTS-AMB-47", "HTS-TEXT-2")
def test_a_part_without_a_target_lapses_and_the_rest_is_done() -> None:
    assert "HTS-AMB-46" in rolls("serious_grey", [], [])
    assert "HTS-AMB-46" not in rolls("serious_grey", [], [], parties={1: ["fluffy"]})
    assert "HTS-AMB-47" in rolls("tipsy_tootie", [], [])
    assert "HTS-AMB-47" not in rolls("tipsy_tootie", [], [], parties={1: ["fluffy"]})


@pytest.mark.clause("HTS-AMB-15", "HTS-AMB-55")
def test_the_only_target_is_named_without_a_question() -> None:
    named = {"HTS-AMB-15", "HTS-AMB-55"}
    assert named <= rolls("bad_axe", [], [], parties={1: ["fluffy"]})
    asked = rolls("bad_axe", [], [], parties={1: ["fluffy", "peanut"]}, answers=((0, FLUFFY),))
    assert named & asked == {"HTS-AMB-15"}
    assert not named & rolls("napping_nibbles", [], [])


@pytest.mark.clause("HTS-DECK-1", "HTS-EDGE-4")
def test_an_empty_deck_is_rebuilt() -> None:
    state = with_deck(table([], [], parties={0: ["wily_red"]}, leaders=QUIET, discard=["hook", "spooky"]))
    assert "HTS-EDGE-4" in play(then(state, 0, RollFor("wily_red")), (CHANCE, WELL))[0]


@pytest.mark.clause("HTS-AMB-9")
@pytest.mark.parametrize(("leader", "counts"), [("the_fist_of_reason", True), ("the_divine_arrow", False)])
def test_a_leader_counts_in_a_challenge(leader: str, counts: bool) -> None:
    state = table(["hook"], ["challenge"], leaders={0: "the_shadow_claw", 1: leader})
    cited, _ = play(
        then(state, 0, PlayCard("hook")), (1, Challenge()), (CHANCE, RollResult((1, 1))), (CHANCE, RollResult((6, 6)))
    )
    assert ("HTS-AMB-9" in cited) is counts


@pytest.mark.clause("HTS-AMB-10", "HTS-NEST-4")
def test_magic_that_was_stopped_was_not_played() -> None:
    lost = ((1, Challenge()), (CHANCE, RollResult((6, 6))), (CHANCE, RollResult((1, 1))))
    for leader, waits in (("the_cloaked_sage", True), ("the_divine_arrow", False)):
        state = table(["enchanted_spell"], ["challenge"], leaders={0: leader, 1: "the_shadow_claw"})
        cited, _ = play(then(state, 0, PlayCard("enchanted_spell")), *lost)
        assert ("HTS-AMB-10" in cited) is waits
        assert "HTS-NEST-4" not in cited
    snowball = rolls(
        "snowball", [], ["challenge"], deck=["enchanted_spell"], answers=((0, ChooseCard("enchanted_spell")), *lost)
    )
    assert {"HTS-AMB-10", "HTS-NEST-4"} <= snowball


@pytest.mark.clause("HTS-AMB-38")
@pytest.mark.parametrize("carries", [True, False])
def test_shurikitty_that_steals_instead_takes_no_item_off_its_hero(carries: bool) -> None:
    host: Any = ("fluffy", "really_big_ring") if carries else "fluffy"
    slain = {0: ["corrupted_sabretooth"]}
    cited = rolls("shurikitty", [], [], parties={1: [host]}, slain=slain, answers=((0, Accept()),))
    assert ("HTS-AMB-38" in cited) is carries


@pytest.mark.clause("HTS-AMB-20", "HTS-TRIG-5", "HTS-TRIG-7", "HTS-AMB-68")
def test_every_fitting_ability_is_offered_once() -> None:
    held = [["hopper"], [MINUS_4, "hook"]]
    for slain, several in (({1: ["crowned_serpent"]}, False), ({0: ["abyss_queen"], 1: ["crowned_serpent"]}, True)):
        state = then(table(*held, parties={0: ["peanut"]}, slain=slain, leaders=QUIET), 0, RollFor("peanut"))
        cited, _ = play(then(state, CHANCE, RollResult((3, 3))), (1, Modify(MINUS_4, -4, 0)), (1, Accept()))
        assert {"HTS-AMB-20", "HTS-TRIG-7", "HTS-AMB-68"} <= cited
        assert ("HTS-TRIG-5" in cited) is several
        assert "HTS-LEAD-5" not in cited


@pytest.mark.clause("HTS-LEAD-5")
def test_a_leader_is_used_or_not_there_and_then() -> None:
    state = table(["enchanted_spell"], [], leaders={0: "the_cloaked_sage"})
    assert "HTS-LEAD-5" in play(state, (0, PlayCard("enchanted_spell")), (0, Decline()))[0]


@pytest.mark.clause("HTS-DO-8")
def test_one_card_of_the_hand_just_seen_is_taken() -> None:
    assert "HTS-DO-8" in rolls("silent_shadow", [], ["spooky", "hook"], answers=((0, ChooseUnseen("spooky")),))
    assert "HTS-DO-8" not in rolls("silent_shadow", [], [])


@pytest.mark.clause("HTS-AMB-16", "HTS-TGT-4")
def test_a_target_that_left_in_the_meantime_stays_the_target() -> None:
    lapsed = {"HTS-AMB-16", "HTS-TGT-4"}
    gone = then(cut_in("destructive_spell", "bad_axe", {0: ["bad_axe"], 2: ["fluffy", "peanut"]}, (6, 6)), 1, FLUFFY)
    assert lapsed <= play(gone)[0] | play(gone, (0, Pass()))[0]
    heavy = rolled("heavy_bear", [], [PLUS_4], ["fluffy", "spooky"])
    emptied = then(then(heavy, 0, ChoosePlayer(1)), 1, Modify(PLUS_4, 4, 0))
    assert lapsed <= play(emptied)[0]
    assert not lapsed & rolls("bad_axe", [], [], parties={1: ["fluffy"]})


@pytest.mark.clause("HTS-AMB-76", "CARDS-TIME-1")
def test_what_the_clock_answers_rests_on_the_rule_of_the_clock() -> None:
    state = table(["hook"], ["challenge"], rules={"window_ms": 1000, "decision_ms": 1000})
    assert "HTS-AMB-76" in play(state, (CLOCK, TimedOut()))[0]
    window = then(state, 0, PlayCard("hook"))
    assert {"HTS-AMB-76", "CARDS-TIME-1"} <= set(rule_on_move(window, CLOCK, TimedOut())[0].clauses)

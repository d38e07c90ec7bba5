"""What cards that owners might enter wait for: lost heroes, turns that start, slain monsters, draws of others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.moves import Accept, ChooseCard, Decline
from referee.engine.rulebook.editions import CardBookError
from referee.engine.steps import TriggerQueued
from referee.games.books import check_book_text
from referee.games.here_to_slay.events.cards import CardDiscarded, CardDrawn
from referee.games.here_to_slay.moves import DrawOne, EndTurn, PlayCard
from referee.games.here_to_slay.state import Table
from tests.games.course import asked, of, then, when
from tests.games.here_to_slay.booked import book_of, card, of_book, write_book
from tests.games.here_to_slay.given import attacked, offered, stands, succeeds, table

DRAW = [{"do": "draw", "count": 1}]
QUIET = {0: "the_divine_arrow", 1: "the_fist_of_reason", 2: "the_cloaked_sage"}


def waiting(owner: int, *hands: list[str], event: str, does: Any = DRAW, under: str = "", **more: Any) -> Table:
    """A table on which a monster slain by this seat, or an item under a hero, waits for an event."""
    filters = {key: more.pop(key) for key in ("by", "how", "turn", "may") if key in more}
    trigger = {"event": event, "does": does, **filters}
    book = book_of(card(kind="item" if under else "monster", whenever=[trigger]))
    state = table(*hands, **{"leaders": QUIET, **more})
    return of_book(book, state, **{f"under/{under}" if under else f"slain/{owner}": "the_card"})


def drawers(events: Any) -> list[int]:
    """Who drew cards."""
    return [event.seat for event in of(events, CardDrawn)]


@pytest.mark.clause("HTS-TRIG-8")
def test_a_sacrificed_hero_is_lost_and_a_destroyed_one_only_if_the_card_says_so() -> None:
    parties = {0: ["hopper"], 1: ["fluffy"]}
    for how, drawn in (("sacrificed", [1]), ("destroyed", []), ("stolen", []), (["destroyed", "sacrificed"], [1])):
        state = waiting(1, [], [], event="hero_lost", how=how, parties=parties)
        assert drawers(succeeds(state, "hopper")[0]) == drawn
    for by, drawn in (("me", []), ("others", [0]), ("anyone", [0])):
        state = waiting(0, [], [], event="hero_lost", by=by, parties=parties)
        assert drawers(succeeds(state, "hopper")[0]) == drawn


@pytest.mark.clause("HTS-TRIG-8")
def test_who_steals_a_hero_is_the_cause_of_the_loss() -> None:
    does = [{"do": "discard", "who": "cause", "count": 2}]
    parties = {0: ["kit_napper"], 1: ["fluffy"]}
    state = waiting(1, ["hook", "challenge"], [], event="hero_lost", how="stolen", does=does, parties=parties)
    events, after = succeeds(state, "kit_napper")
    assert [event.seat for event in of(events, CardDiscarded)] == [0, 0]
    assert after.party_of(0) == ("kit_napper", "fluffy")


@pytest.mark.clause("HTS-TRIG-8")
def test_others_but_the_loser_may_draw() -> None:
    does = [
        {"do": "for_each", "player": {"but": "loser"}, "called": "each", "lines": [
            {"do": "offer", "who": "each", "called": "wanted"},
            {"do": "draw", "who": "each", "count": 1, "if": "wanted"},
        ]},
    ]  # fmt: skip
    parties = {0: ["bad_axe"], 1: ["fluffy"]}
    state = waiting(2, [], [], [], event="hero_lost", how="destroyed", by="others", does=does, parties=parties)
    _, state = succeeds(state, "bad_axe")
    assert asked(state) == {0}
    events, after = when(state, 0, Accept())
    assert (drawers(events), asked(after), after.agenda[-1].question_name()) == ([0], {0}, "hts.Turn")


@pytest.mark.clause("HTS-TRIG-8")
@pytest.mark.parametrize(("by", "drawn"), [("me", []), ("others", [0]), ("anyone", [0])])
def test_a_turn_that_starts_is_waited_for_before_its_first_action(by: str, drawn: list[int]) -> None:
    events, after = when(waiting(0, [], [], event="turn_starts", by=by), 0, EndTurn())
    assert drawers(events) == drawn
    assert (asked(after), after.points) == ({1}, 3)
    events, after = when(then(after, 1), 1, EndTurn())
    assert drawers(events) == ([0] if by != "others" else [])


@pytest.mark.clause("HTS-TRIG-8")
def test_an_item_waits_for_the_player_of_its_hero() -> None:
    state = waiting(0, [], [], event="turn_starts", under="peanut", parties={1: ["peanut"]})
    events, _ = when(state, 0, EndTurn())
    assert drawers(events) == [1]


@pytest.mark.clause("HTS-TRIG-8")
def test_a_hero_that_joins_and_a_monster_that_is_slain_are_waited_for() -> None:
    state = waiting(1, ["peanut"], [], event="hero_entered", by="others")
    events, free_roll = stands(state, 0, PlayCard("peanut"))
    assert drawers(events) == []  # the free roll comes first
    assert drawers(when(free_roll, 0, Decline())[0]) == [1]
    state = waiting(
        0, [], [], event="monster_slain", parties={0: ["peanut", "hook"]}, row=["orthus", "dracos", "terratuga"]
    )
    state = replace(state, zones={**state.zones, "party/0": ("peanut", "hook", "bun_bun", "bad_axe")})
    events, after = attacked(state, "terratuga", 6, 6)
    assert drawers(events) == [0]
    third = replace(after, zones={**after.zones, "slain/0": (*after.zones["slain/0"], "orthus")})
    events, over = attacked(replace(third, points=3), "dracos", 1, 1)
    assert over.winner == 0
    assert drawers(events) == []


@pytest.mark.clause("HTS-TRIG-8")
@pytest.mark.parametrize(("turn", "asks"), [("own", True), ("others", False), ("any", True)])
def test_a_draw_may_be_waited_for_in_the_drawer_s_own_turn_only(turn: str, asks: bool) -> None:
    state = waiting(1, [], [], event="drawn", by="others", turn=turn, may=True)
    _, after = when(state, 0, DrawOne())
    assert (asked(after) == {1}) == asks


@pytest.mark.clause("HTS-TRIG-6")
def test_what_others_draw_is_not_shown_to_who_waits_for_it() -> None:
    state = waiting(1, [], [], event="drawn", by="others", may=True, deck=["hopper"])
    events, after = when(state, 0, DrawOne())
    (noted,) = of(events, TriggerQueued)
    assert isinstance(noted.step, Execution)
    assert noted.step.bound["lot"] == ("?",)
    assert offered(after, 1) == [Decline(), Accept()]
    assert "hopper" not in str([event.view_for(1) for event in events])


def test_how_is_for_lost_heroes_alone() -> None:
    wrong = card(kind="monster", whenever=[{"event": "drawn", "how": "stolen", "does": DRAW}])
    with pytest.raises(CardBookError, match="drawn takes no 'how'; hero_lost does"):
        check_book_text(write_book(wrong), "owned.yaml")
    wrong = card(kind="monster", whenever=[{"event": "hero_lost", "how": "eaten", "does": DRAW}])
    with pytest.raises(CardBookError, match="unknown how 'eaten'"):
        check_book_text(write_book(wrong), "owned.yaml")


def test_a_hero_that_is_lost_is_gone_when_the_text_speaks_of_it() -> None:
    does = [{"do": "choose", "card": {"among": "discard"}, "called": "back"}, {"do": "take", "card": "back"}]
    state = waiting(1, [], [], event="hero_lost", does=does, parties={0: ["bad_axe"], 1: ["fluffy"]}, discard=["hook"])
    _, state = succeeds(state, "bad_axe")
    assert offered(state, 1) == [ChooseCard("hook"), ChooseCard("fluffy")]

"""Items that protect, effects that are used again, points and checks, with cards that owners might enter."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.cardscript.free_text.changes import CardMove, CardsToDraw, CarryOutAsWritten, NewValue
from referee.cardscript.moves import ChooseCard
from referee.engine.codec import encode
from referee.engine.referee import play_move, rule_on_move
from referee.engine.rulebook.editions import CardBookError
from referee.engine.seats import Seat
from referee.engine.steps import StepPushed
from referee.games.books import check_book_text
from referee.games.here_to_slay import GAME
from referee.games.here_to_slay.breakdowns import break_down_event
from referee.games.here_to_slay.components import DISCARD
from referee.games.here_to_slay.events.cards import CardDrawn, EffectLapsed, LotDrawn
from referee.games.here_to_slay.events.heroes import HeroDestroyed, HeroStolen, ReplacementApplied
from referee.games.here_to_slay.events.turns import PointGained, PointsSpent
from referee.games.here_to_slay.moves import Attack, EndTurn, PlayCard, RedrawHand, RollFor
from referee.games.here_to_slay.rules.drawing import CardDrawing
from referee.games.here_to_slay.state import Table
from referee.rendering import texts
from tests.games.course import of, refused, then, when
from tests.games.here_to_slay.booked import book_of, card, of_book, write_book
from tests.games.here_to_slay.given import dice, offered, stands, succeeds, table
from tests.games.here_to_slay.in_a_roll import QUIET


def carried(item: dict[str, Any], *hands: list[str], hero: str = "fluffy", **more: Any) -> tuple[str, Table]:
    """An item of a book under a hero, and the table."""
    book = book_of(card(kind="item", **item))
    state = of_book(book, table(*hands, **{"leaders": QUIET, **more}), **{f"under/{hero}": "the_card"})
    return book.card_id("the_card"), state


def played(text: list[dict[str, Any]], *hands: list[str], **more: Any) -> tuple[Any, Table]:
    """Magic with this text is played and stands."""
    book = book_of(card(does=text))
    state = of_book(book, table(*hands, **{"leaders": QUIET, **more}), hand="the_card")
    return stands(state, 0, PlayCard(book.card_id("the_card")))


@pytest.mark.clause("HTS-PROT-4", "HTS-PROT-3")
def test_an_item_protects_its_hero_alone_from_what_it_names() -> None:
    parties = {0: ["bad_axe", "kit_napper"], 1: ["fluffy", "peanut", "hook"]}
    item, state = carried({"standing": [{"protects": "destroy"}]}, [], [], parties=parties)
    _, rolling = dice(then(state, 0, RollFor("bad_axe")), 6, 6)
    assert offered(rolling, 0) == [ChooseCard("peanut"), ChooseCard("hook")]
    assert refused(rolling, 0, ChooseCard("fluffy")) == ("its_item_protects", "HTS-PROT-4")
    events, after = succeeds(state, "kit_napper", ChooseCard("fluffy"))
    assert [event.put for event in of(events, HeroStolen)] == [("fluffy",)]
    assert after.item_of("fluffy") == item


@pytest.mark.clause("HTS-REPL-6")
def test_an_item_steps_in_when_its_hero_would_be_stolen() -> None:
    parties = {0: ["kit_napper"], 1: ["fluffy"]}
    item, state = carried({"instead": {"of": "steal", "does": [{"do": "give_way"}]}}, [], [], parties=parties)
    events, after = succeeds(state, "kit_napper")
    assert [(event.card, event.verb) for event in of(events, ReplacementApplied)] == [(item, "steal")]
    assert of(events, HeroStolen) == []
    assert (after.party_of(1), after.cards_at(DISCARD)) == (("fluffy",), (item,))
    events, after = succeeds(replace(after, rolled=(), points=3), "kit_napper")
    assert after.party_of(0) == ("kit_napper", "fluffy")


def test_only_an_item_steps_in_against_stealing() -> None:
    wrong = card(kind="monster", instead={"of": "steal", "does": [{"do": "draw", "count": 1}]})
    with pytest.raises(CardBookError, match="unknown replacement of 'steal'"):
        check_book_text(write_book(wrong), "owned.yaml")


@pytest.mark.clause("HTS-POINTS-1", "CARDS-FREE-2")
def test_a_report_on_a_free_text_gives_as_many_points_as_a_text_can() -> None:
    _, state = played([{"do": "as_written"}], [], [])
    told = {most: CarryOutAsWritten((NewValue("/points", most),)) for most in (5, 99, 100)}
    for most in (5, 99):
        _, after = when(state, 0, told[most])
        assert after.points == most
        assert list(GAME.tracking.find_out_of_range(after)) == []
        read, wrong = GAME.positions.tables.examine(GAME.positions.encode_position(after))
        assert (read.points, [each for each in wrong if each["pointer"] == "/points"]) == (most, [])
    assert refused(state, 0, told[100]) == ("impossible_report", "CARDS-FREE-2")
    _, after = played([{"do": "repeat", "times": 40, "lines": [{"do": "gain_points", "count": 3}]}], [], [])
    assert after.points == 99
    assert list(GAME.tracking.find_out_of_range(after)) == []


@pytest.mark.clause("CARDS-FREE-2")
def test_a_reported_draw_sets_off_no_text_that_waits_for_draws() -> None:
    waits = {"event": "drawn", "by": "anyone", "does": [{"do": "gain_points"}]}
    for line, gained in (({"do": "as_written"}, 0), ({"do": "draw", "count": 2}, 1)):
        book = book_of(card(does=[line]), card("listener", kind="monster", whenever=[waits]))
        state = of_book(book, table([], [], leaders=QUIET), **{"hand": "the_card", "slain/0": "listener"})
        events, after = stands(state, 0, PlayCard(book.card_id("the_card")))
        if line["do"] == "as_written":
            events, after = when(after, 0, CarryOutAsWritten((CardsToDraw(2, 0),)))
        assert (len(of(events, CardDrawn)), len(of(events, PointGained))) == (2, gained)
    book = book_of(card(does=[{"do": "as_written"}]), card("listener", kind="monster", whenever=[waits]))
    state = of_book(book, table([], [], leaders=QUIET, row=[]), **{"hand": "the_card", "row": "listener"})
    _, asked = stands(state, 0, PlayCard(book.card_id("the_card")))
    listener = CardMove(book.card_id("listener"), "row", "slain/0")
    for changes in ((CardsToDraw(1, 0), listener), (listener, CardsToDraw(1, 0))):
        events = play_move(asked, Seat(0), CarryOutAsWritten(changes))
        assert (len(of(events, CardDrawn)), of(events, PointGained)) == (1, [])


@pytest.mark.clause("CARDS-FREE-1")
def test_a_reported_draw_for_which_no_text_waits_is_written_as_in_older_logs() -> None:
    _, state = played([{"do": "as_written"}], [], [])
    events = play_move(state, Seat(0), CarryOutAsWritten((CardsToDraw(2, 0),)))
    (pushed,) = [event.step for event in of(events, StepPushed) if isinstance(event.step, CardDrawing)]
    assert "reported" not in encode(pushed)
    assert len(of(events, LotDrawn)) == 1


@pytest.mark.clause("HTS-POINTS-1")
def test_points_are_gained_in_the_player_s_own_turn_only() -> None:
    events, after = played([{"do": "gain_points", "count": 2}], [], [])
    assert ([event.left for event in of(events, PointGained)], after.points) == ([3, 4], 4)
    (term,) = break_down_event(after, of(events, PointGained)[-1])
    assert (term.value, [part.value for part in term.parts]) == (4, [3, 1])
    trigger = {"event": "turn_starts", "by": "others", "does": [{"do": "gain_points"}]}
    book = book_of(card(kind="monster", whenever=[trigger]))
    state = of_book(book, table([], [], leaders=QUIET), **{"slain/1": "the_card"})
    state = then(state, 0, EndTurn())
    events, after = when(state, 1, EndTurn())
    assert [event.what for event in of(events, EffectLapsed)] == ["points"]
    assert after.points == 3


USE: list[dict[str, Any]] = [
    {"do": "choose", "hero": {"to": "use"}, "called": "copied"},
    {"do": "use_effect", "hero": "copied"},
]


@pytest.mark.clause("HTS-COPY-1")
def test_the_effect_of_another_hero_is_used_without_a_roll() -> None:
    parties = {0: ["hook"], 1: ["bad_axe", "fluffy"], 2: ["peanut"]}
    _, state = played(USE, [], [], [], parties=parties)
    state = then(state, 0, ChooseCard("bad_axe"))
    assert ChooseCard("fluffy") in offered(state, 0)
    events, after = when(state, 0, ChooseCard("bad_axe"))
    assert [(event.by, event.put) for event in of(events, HeroDestroyed)] == [(0, ("bad_axe",))]
    assert after.rolled == ()


@pytest.mark.clause("HTS-COPY-1")
def test_a_sealed_effect_is_not_used_nor_one_that_is_under_way() -> None:
    parties: dict[int, Any] = {0: ["hook"], 1: [("bad_axe", "sealing_key"), "fluffy"]}
    _, state = played(USE, [], [], parties=parties)
    events, _ = when(state, 0, ChooseCard("bad_axe"))
    assert [event.what for event in of(events, EffectLapsed)] == ["effect"]
    book = book_of(*(card(name, "hero", does=USE) for name in ("parrot", "starling")))
    parrot, starling = map(book.card_id, ("parrot", "starling"))
    state = of_book(book, table([], [], leaders=QUIET), **{"party/0": "parrot", "party/1": "starling"})
    events, _ = succeeds(state, parrot)
    assert [(event.card, event.what) for event in of(events, EffectLapsed)] == [(starling, "effect")]


@pytest.mark.clause("HTS-CHECK-1")
@pytest.mark.parametrize(
    ("bounds", "drawn"), [({"min": 2}, 1), ({"min": 3}, 2), ({"max": 2}, 1), ({"min": 1, "max": 1}, 2)]
)
def test_a_text_asks_how_the_table_stands(bounds: dict[str, int], drawn: int) -> None:
    text = [
        {"do": "check", "number": {"heroes_of": "me"}, "called": "so", **bounds},
        {"do": "draw", "count": 1, "if": "so"},
        {"do": "draw", "count": 2, "unless": "so"},
    ]
    events, _ = played(text, [], [], parties={0: ["hook", "peanut"]})
    assert len(of(events, CardDrawn)) == drawn


def test_a_check_needs_a_bound() -> None:
    text = [{"do": "check", "number": {"heroes_of": "me"}, "called": "so"}, {"do": "draw", "count": 1, "if": "so"}]
    with pytest.raises(CardBookError, match="check needs 'min' or 'max'"):
        check_book_text(write_book(card(does=text)), "owned.yaml")


@pytest.mark.clause("HTS-COST-1", "HTS-ACT-8")
def test_a_leader_changes_what_actions_cost() -> None:
    book = book_of(
        card(kind="leader", standing=[{"cost": ["attack", "play"], "plus": -1}, {"cost": "redraw", "plus": 1}])
    )
    state = table(["peanut"], [], parties={0: ["hook", "bun_bun", "fluffy"]}, row=["terratuga", "dracos", "orthus"])
    state = of_book(book, replace(state, points=1), **{"leader/0": "the_card"})
    state = replace(state, zones={**state.zones, "leader/0": state.zones["leader/0"][:1]})
    assert Attack("dracos") in offered(state, 0)
    events, _ = when(state, 0, Attack("dracos"))
    assert [(event.count, event.left) for event in of(events, PointsSpent)] == [(1, 0)]
    assert "HTS-COST-1" in rule_on_move(state, Seat(0), Attack("dracos"))[0].clauses
    events, _ = when(state, 0, PlayCard("peanut"))
    assert [event.count for event in of(events, PointsSpent)] == [1]  # never free
    rich = replace(state, points=3)
    assert refused(rich, 0, RedrawHand()) == ("too_few_points", "HTS-ACT-8")
    assert [event.left for event in of(when(replace(state, points=4), 0, RedrawHand())[0], PointsSpent)] == [0]
    told = texts.describe_move(GAME, state, Attack("dracos"))
    assert told == {
        "en": "Attack Dracos (5 or less, 1 action point).",
        "de": "„Dracos“ angreifen (bis 5, 1 Aktionspunkt).",
    }

"""Cards of owners: alternatives, repeated lines, lines put off, and what lasts for a while."""

from __future__ import annotations

from typing import Any

import pytest

from referee.cardscript.language.alternatives import AlternativeChosen
from referee.cardscript.language.delayed import DelayedTextsDue, TextDelayed
from referee.cardscript.moves import ChooseCard, ChooseCards, ChooseValue, Decline
from referee.engine.codec import decode, encode
from referee.engine.events import apply_events, replace_fields
from referee.engine.referee import build_view, resolve_pending_steps
from referee.engine.rulebook.book import BookError
from referee.engine.rulings import IllegalMove, MalformedInput
from referee.engine.seats import BYSTANDER, Seat
from referee.games.munchkin import GAME
from referee.games.munchkin.components import BOOK
from referee.games.munchkin.derived import find_active_abilities, hand_limit
from referee.games.munchkin.events.cards import CardDrawn, CardsDiscarded
from referee.games.munchkin.events.combat import CombatEnded, StrengthAdded
from referee.games.munchkin.events.course import LevelsGained, LevelsLost, TurnBegan, TurnEnded
from referee.games.munchkin.events.lasting import LastingBegan
from referee.games.munchkin.events.texts import EffectLapsed
from referee.games.munchkin.moves import AskHelp, PlayCard, Sell
from referee.games.munchkin.rules.combat.fighting import Fight
from referee.games.munchkin.rules.combat.helping import check_drafting, check_player_to_ask
from referee.games.munchkin.rules.items.selling import compute_sale, find_cheapest_sale
from referee.games.munchkin.rules.turn import AfterDoor, Calm, TurnBegins, TurnEnds
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import score_munchkins, sum_lines
from referee.games.munchkin.texts.questions import describe_question
from tests.games.munchkin.wording import (
    SAID,
    at_rest,
    kept,
    of,
    offered,
    read,
    refusal,
    said,
    table,
    unsaid,  # noqa: F401
    when,
)

UP: dict[str, Any] = {
    "says": {"en": "gain 1 level", "de": "1 Stufe aufsteigen"},
    "lines": [{"do": "gain_levels", "count": 1}],
}
DRAW: dict[str, Any] = {"says": "draw 2 treasures", "lines": [{"do": "draw", "deck": "treasure", "count": 2}]}
ONE: dict[str, Any] = {"do": "choose_one", "options": [UP, DRAW]}
TREASURES = ("bat_hat", "stilts", "os_popping_corn")


def as_position(state: Table) -> Table:
    """The table after it was written as a position and read again, and as it is stored."""
    assert decode(Table, encode(state)) == state
    written = GAME.positions.encode_position(state)
    return GAME.positions.tables.find_table(written).examine(written)[0]  # type: ignore[no-any-return]


def board(state: Table, seat: int = BYSTANDER) -> dict[str, Any]:
    """The board that a seat sees."""
    return GAME.boards.draw(build_view(state, Seat(seat)), seat, "standard")  # type: ignore[return-value]


# ---- alternatives ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("CARDS-CHOICE-5")
def test_only_the_lines_of_the_chosen_alternative_are_carried_out_and_then_the_rest() -> None:
    _, state = said(table(treasures=("?",) * 5), ONE, {"do": "lose_levels", "count": 1})
    assert offered(state, 0) == [ChooseValue(1), ChooseValue(2)]
    events, after = when(kept(state), 0, ChooseValue(1))
    assert (len(of(events, LevelsGained)), len(of(events, CardDrawn)), len(of(events, LevelsLost))) == (1, 0, 1)
    assert at_rest(after)
    events, after = when(kept(state), 0, ChooseValue(2))
    assert (len(of(events, LevelsGained)), len(of(events, LevelsLost))) == (0, 1)
    assert at_rest(after)


def test_both_are_read_aloud_in_the_question_in_the_moves_and_in_what_is_told() -> None:
    _, state = said(table(), ONE)
    variant, values = describe_question(state)
    asked = BOOK.render_texts(f"question.Alternatives.{variant}", card="bat_hat", **values)
    assert asked["en"].endswith("1: gain 1 level; 2: draw 2 treasures.")
    assert "1: 1 Stufe aufsteigen; 2:" in asked["de"]
    move = GAME.narration.describe_move(state, ChooseValue(1))
    assert move is not None
    assert move["de"] == "1 wählen: 1 Stufe aufsteigen."
    told = GAME.narration.describe_event(AlternativeChosen(0, "bat_hat", UP["says"]))
    assert told is not None
    assert told["en"].endswith(": gain 1 level.")
    choices = [each for each in board(state)["running"] if each["kind"] == "choice"]
    assert [(each["about"], each["seat"]) for each in choices] == [("alternative", 0)]


@pytest.mark.parametrize("move", [ChooseValue(0), ChooseValue(3), Decline()])
def test_nothing_else_is_an_alternative(move: Any) -> None:
    _, state = said(table(), ONE)
    assert refusal(state, 0, move).reason in ("no_such_alternative", "not_what_is_asked")


def test_names_of_one_alternative_are_free_in_the_next_and_after_it() -> None:
    item = {"says": "an item", "lines": [{"do": "choose", "item": {}, "called": "it"}, {"do": "stitch", "item": "it"}]}
    whom = {
        "says": "a player",
        "lines": [{"do": "choose", "player": {}, "called": "it"}, {"do": "lose_levels", "count": 1, "who": "it"}],
    }
    assert read({"do": "choose_one", "options": [item, whom]})
    with pytest.raises(BookError, match="unknown player 'it'"):
        read({"do": "choose_one", "options": [item, whom]}, {"do": "lose_levels", "count": 1, "who": "it"})


# ---- how often -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("CARDS-TIME-2")
def test_lines_are_repeated_as_often_as_was_counted_and_choose_anew_each_time() -> None:
    lines = [{"do": "choose", "item": {}, "called": "it"}, {"do": "hand_over", "item": "it", "to": "left"}]
    state = table(plays={0: ("bat_hat", "stilts", "chained_lantern"), 1: ()}, hands={0: ("?", "?")})
    _, state = said(state, {"do": "repeat", "times": {"hand_of": "me"}, "lines": lines})
    _, state = when(kept(state), 0, ChooseCard("bat_hat"))
    _, state = when(kept(state), 0, ChooseCard("stilts"))
    assert (state.items_of(0), set(state.items_of(1))) == (("chained_lantern",), {"bat_hat", "stilts"})
    assert at_rest(state)
    events, state = said(table(), {"do": "repeat", "times": {"hand_of": "me"}, "lines": UP["lines"]})
    assert not of(events, LevelsGained)
    assert at_rest(state)


# ---- later -----------------------------------------------------------------------------------------------------------


def put_off(*lines: dict[str, Any], when_: str, by: int = 0, **more: Any) -> tuple[tuple[Any, ...], Table]:
    """A text that puts lines off, carried out, and the calm after it."""
    events, state = said(table(**more), {"do": "later", "when": when_, "lines": list(lines)}, by=by)
    return events, replace_fields(state, agenda=(Calm(0, "after"),))


def carried(state: Table, step: Any) -> tuple[tuple[Any, ...], Table]:
    """What follows from this step."""
    state = replace_fields(state, agenda=(step,))
    events = resolve_pending_steps(state)
    return events, apply_events(state, events)


@pytest.mark.clause("CARDS-TIME-3")
def test_what_is_put_off_to_the_end_of_the_turn_comes_before_it_has_ended() -> None:
    events, state = put_off({"do": "gain_levels", "count": 1}, when_="turn_ends")
    (delayed,) = of(events, TextDelayed)
    assert not of(events, LevelsGained)
    told = GAME.narration.describe_event(delayed)
    assert told is not None
    assert told["en"].endswith("follows when the turn ends.")
    (later,) = board(state)["later"]
    assert (later["seat"], later["when"], later["card"]) == (0, "turn_ends", SAID)
    events, state = carried(state, TurnEnds(0))
    kinds = [type(event) for event in events if isinstance(event, DelayedTextsDue | LevelsGained | TurnEnded)]
    assert kinds[:3] == [DelayedTextsDue, LevelsGained, TurnEnded]
    assert state.later == ()


@pytest.mark.clause("CARDS-TIME-3")
def test_what_is_put_off_to_the_next_turn_waits_for_that_of_its_player() -> None:
    _, state = put_off({"do": "gain_levels", "count": 1}, when_="next_turn", by=2)
    for seat in (0, 1):
        events, state = carried(state, TurnBegins(seat))
        assert not of(events, LevelsGained)
    events, state = carried(state, TurnBegins(2))
    assert [type(each) for each in events if isinstance(each, TurnBegan | DelayedTextsDue | LevelsGained)] == [
        TurnBegan, DelayedTextsDue, LevelsGained,
    ]  # fmt: skip
    assert (state.levels, state.later) == ((3, 3, 4), ())


# ---- what lasts ------------------------------------------------------------------------------------------------------


def lasts(**what: Any) -> dict[str, Any]:
    """A line that gives something for a while."""
    return {"do": "lasting", **what}


@pytest.mark.clause("MK-27.2")
def test_what_lasts_counts_like_a_card_in_play_and_ends_in_time() -> None:
    events, state = said(
        table(monsters=("wolfman",)),
        lasts(what="strength", value=3, until="combat_end"),
        lasts(what="hand_limit", value=-2, until="turn_end"),
        lasts(what="die_rolls", value=1, until="next_turn", who="left"),
    )
    began = of(events, LastingBegan)
    told = GAME.narration.describe_event(began[0])
    assert told is not None
    assert told["en"].startswith("Player 1 fights with +3 until the combat ends")
    assert told["de"].startswith("Spieler 1 kämpft mit +3, bis der Kampf endet")
    assert sum_lines(score_munchkins(state)) == 6
    assert ("line.condition", 3, SAID) in [(line.says, line.count, line.card) for line in score_munchkins(state)]
    assert (hand_limit(state, 0), [each.number for _, each in find_active_abilities(state, 1, "die_rolls")]) == (3, [1])
    drawn = [(each["what"], each["value"], each["seat"], each["until"]) for each in board(state)["lasting"]]
    assert drawn[0] == ("strength", 3, 0, "combat_end")
    state = apply_events(state, (CombatEnded("fled"),))
    assert [each.what for each in state.lasting] == ["hand_limit", "die_rolls"]
    state = apply_events(state, (TurnEnded(0), TurnBegan(1)))
    assert [each.what for each in state.lasting] == ["die_rolls"]
    assert apply_events(state, (TurnBegan(0),)).lasting == ()


def test_what_should_last_for_a_combat_needs_one() -> None:
    events, state = said(table(), lasts(what="strength", value=3, until="combat_end"))
    assert ([event.what for event in of(events, EffectLapsed)], state.lasting) == (["lasting"], ())


@pytest.mark.clause("MK-27.3")
def test_items_bring_more_gold_when_they_are_sold() -> None:
    state = table(plays={0: ("bat_hat", "stilts", "chained_lantern")}, used=())
    before, goods = compute_sale(state, 0, state.items_of(0)), state.items_of(0)
    _, state = said(state, lasts(what="sale_times", value=2, until="turn_end"))
    assert (compute_sale(state, 0, goods), compute_sale(state, 1, goods)) == (2 * before, before)
    state = replace_fields(state, agenda=(Calm(0, "after"),))
    sale = find_cheapest_sale(state, 0)
    assert before < 2000
    events, _ = when(state, 0, Sell(goods))
    assert [event.count for event in of(events, LevelsGained)] == [2 * before // 1000]
    assert sale
    assert compute_sale(state, 0, sale) >= 1000


@pytest.mark.clause("MK-27.4")
def test_a_player_may_be_kept_from_helping() -> None:
    _, state = said(table(monsters=("wolfman",)), lasts(what="cannot_help", until="next_turn", who="left"))
    state = replace_fields(state, agenda=(Fight(0),))
    ruling = refusal(state, 0, AskHelp(seat=1))
    assert (ruling.reason, ruling.params["by"]) == ("cannot_help", SAID)
    check_player_to_ask(state, 0, 2)
    with pytest.raises(IllegalMove, match="cannot_help"):
        check_drafting(state, 1)


@pytest.mark.clause("MK-27.4")
def test_players_may_be_kept_from_playing_one_shots_in_a_combat() -> None:
    state = table({1: ("os_popping_corn",), 2: ("os_popping_corn",)}, monsters=("wolfman",))
    marbles = PlayCard("os_popping_corn", side="monsters")
    state = replace_fields(state, agenda=(Fight(0),))
    assert marbles in offered(state, 1)
    _, after = said(state, lasts(what="cannot_play_one_shots", until="combat_end", who="everyone"), by=2)
    after = replace_fields(after, agenda=(Fight(0),))
    assert refusal(after, 1, marbles).reason == "cannot_play_one_shots"


# ---- positions -------------------------------------------------------------------------------------------------------


def test_what_lasts_and_what_is_put_off_is_written_in_positions() -> None:
    state = table(
        monsters=("wolfman",), hands={0: ("?",), 1: ("?",), 2: ("?",)}, doors=("?",) * 9, treasures=("?",) * 9
    )
    lasting: dict[str, Any] = {"card": "bat_hat", "seat": 1, "what": "escape", "until": "turn_end", "by": 0, "value": 2}
    later = {"when": "next_turn", "card": "wolfman", "part": "bad_stuff", "by": 0, "line": 0, "known": {"me": [0]}}
    written = {**GAME.positions.encode_position(replace_fields(state, agenda=(AfterDoor(0), Fight(0))))}
    written |= {"lasting": [lasting], "later": [later]}
    found = GAME.positions.tables.find_table(written).examine(written)[0]
    assert ([each.value for each in found.lasting], [each.when for each in found.later]) == ([2], ["next_turn"])
    assert as_position(found) == found
    for wrong in ({**later, "line": 77}, {**later, "by": 5}, {**later, "when": "soon"}):
        with pytest.raises(MalformedInput):
            GAME.positions.decode_position({**written, "later": [wrong]})


# ---- discarding as many as one likes --------------------------------------------------------------------------------


def test_as_many_hand_cards_as_one_likes_are_discarded_and_counted() -> None:
    lines: tuple[dict[str, Any], ...] = (
        {"do": "discard_hand", "count": "all", "at_least": 0, "called": "gone"},
        {"do": "bonus", "side": "munchkins", "count": {"number_of": "gone"}},
    )
    state = table({0: ("bat_hat", "stilts", "wolfman")}, monsters=("wolfman",))
    _, state = said(state, *lines)
    assert describe_question(state) == ("up_to", {"least": 0, "count": 3})
    assert len(offered(state, 0)) == 8
    events, after = when(kept(state), 0, ChooseCards(("bat_hat", "wolfman")))
    assert ([event.added.count for event in of(events, StrengthAdded)], len(of(events, CardsDiscarded))) == ([2], 2)
    assert at_rest(after)
    events, _ = when(state, 0, ChooseCards(()))
    assert [event.what for event in of(events, EffectLapsed)] == ["counted"]

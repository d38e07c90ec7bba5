"""What cards that owners might enter let players choose between, repeat, and put off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from referee.cardscript.language.alternatives import AlternativeChosen
from referee.cardscript.language.delayed import DelayedTextsDue, TextDelayed
from referee.cardscript.moves import ChooseCard, ChoosePlayer, ChooseValue, Decline
from referee.engine.codec import decode, encode
from referee.engine.events import Event
from referee.engine.referee import build_view
from referee.engine.rulebook.editions import CardBookError
from referee.engine.rulings import MalformedInput
from referee.engine.seats import BYSTANDER, Seat
from referee.games.books import check_book_text
from referee.games.here_to_slay import GAME
from referee.games.here_to_slay.components import BOOK
from referee.games.here_to_slay.events.cards import CardDrawn
from referee.games.here_to_slay.events.heroes import HeroDestroyed, HeroStolen
from referee.games.here_to_slay.events.turns import PointGained, TurnEnded, TurnStarted
from referee.games.here_to_slay.moves import EndTurn, PlayCard
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.wording import describe_answer, describe_question
from tests.games.course import of, refused, then, when
from tests.games.here_to_slay.booked import book_of, card, of_book, write_book
from tests.games.here_to_slay.given import offered, stands, table

QUIET = {0: "the_divine_arrow", 1: "the_cloaked_sage", 2: "the_shadow_claw"}
DRAW: dict[str, Any] = {
    "says": {"en": "draw two cards", "de": "zwei Karten ziehen"},
    "lines": [{"do": "draw", "count": 2}],
}
DESTROY: dict[str, Any] = {
    "says": "destroy a hero",
    "lines": [{"do": "choose", "hero": {"to": "destroy"}, "called": "it"}, {"do": "destroy", "hero": "it"}],
}
STEAL: dict[str, Any] = {
    "says": "steal a hero",
    "lines": [{"do": "choose", "hero": {"to": "steal"}, "called": "it"}, {"do": "steal", "hero": "it"}],
}
ONE: dict[str, Any] = {"do": "choose_one", "options": [DRAW, DESTROY, STEAL]}
DECK = ["spooky", "modifier_plus_4", "modifier_plus_4"]


def played(*does: dict[str, Any], hands: tuple[list[str], ...] = ([], []), **more: Any) -> tuple[Any, Table]:
    """Magic with this text is played by seat 0 and stands."""
    book = book_of(card(does=list(does)))
    more = {"leaders": QUIET, "deck": DECK, "parties": {1: ["peanut", "hook"]}, **more}
    state = of_book(book, table(*hands, **more), hand="the_card")
    return stands(state, 0, PlayCard(book.card_id("the_card")))


def drawn(events: Iterator[Event] | tuple[Event, ...]) -> int:
    """How many cards were drawn."""
    return len(of(events, CardDrawn))


def kept(state: Table) -> Table:
    """The table after it was written down, as it is stored and as a position, and read again."""
    assert decode(Table, encode(state)) == state
    written = GAME.positions.encode_position(state)  # the test's table has fewer leaders than a box
    assert GAME.positions.tables.find_table(written).examine(written)[0] == state
    return state


# ---- alternatives ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("CARDS-CHOICE-5")
def test_only_the_chosen_alternative_is_carried_out_and_then_the_rest() -> None:
    _, state = played(ONE, {"do": "gain_points", "count": 1})
    assert [each for each in offered(state, 0) if isinstance(each, ChooseValue)] == [*map(ChooseValue, (1, 2, 3))]
    events, after = when(kept(state), 0, ChooseValue(1))
    assert (drawn(events), len(of(events, PointGained))) == (2, 1)
    events, after = when(state, 0, ChooseValue(2))
    assert ChooseCard("peanut") in offered(kept(after), 0)
    assert describe_question(after)[0].startswith("destroy"), "the other alternative, that steals, is left out"
    events, after = when(after, 0, ChooseCard("peanut"))
    assert (len(of(events, HeroDestroyed)), drawn(events), len(of(events, PointGained))) == (1, 0, 1)
    events, _ = when(when(state, 0, ChooseValue(3))[1], 0, ChooseCard("hook"))
    assert (len(of(events, HeroStolen)), len(of(events, HeroDestroyed))) == (1, 0)


def test_all_are_read_aloud_in_the_question_in_the_moves_and_in_what_is_told() -> None:
    _, state = played(ONE)
    variant, values = describe_question(state)
    asked = BOOK.render_texts(f"question.Alternatives.{variant}", card=state.agenda[-1].card, **values)  # type: ignore[attr-defined]
    assert asked["en"].endswith("1: draw two cards; 2: destroy a hero; 3: steal a hero.")
    assert "1: zwei Karten ziehen; 2:" in asked["de"]
    assert describe_answer(state, ChooseValue(1)) == ("way", {"says": DRAW["says"]})
    move = GAME.narration.describe_move(state, ChooseValue(1))
    assert move is not None
    assert move["de"] == "1 wählen: zwei Karten ziehen."
    (chosen,) = of(when(state, 0, ChooseValue(1))[0], AlternativeChosen)
    told = GAME.narration.describe_event(chosen)
    assert told is not None
    assert told["en"].endswith(": draw two cards.")
    running = GAME.boards.draw(build_view(state, BYSTANDER), BYSTANDER, "standard")["running"]  # type: ignore[index]
    assert ("choice", "alternative", 0) in [(each["kind"], each.get("about"), each.get("seat")) for each in running]


def test_nothing_else_is_an_alternative() -> None:
    _, state = played(ONE)
    assert refused(state, 0, ChooseValue(4)) == ("no_such_alternative", "CARDS-CHOICE-5")
    assert refused(state, 0, Decline())[0] == "not_what_is_asked"


def test_another_player_may_be_the_one_to_choose() -> None:
    _, state = played({"do": "choose", "player": {}, "called": "victim"}, {**ONE, "who": "victim"})
    if ChoosePlayer(1) in offered(state, 0):
        state = then(state, 0, ChoosePlayer(1))
    assert ChooseValue(1) not in offered(state, 0)
    events, _ = when(state, 1, ChooseValue(1))
    assert {event.seat for event in of(events, CardDrawn)} == {0}, "the text stays that of its card's player"


# ---- how often -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("CARDS-TIME-2")
def test_lines_are_repeated_as_often_as_was_counted_and_name_anew_each_time() -> None:
    _, state = played({"do": "repeat", "times": {"heroes_of": "me"}, "lines": DESTROY["lines"]}, parties={
        0: ["bun_bun", "fluffy"], 1: ["peanut", "hook", "wildshot"]
    })  # fmt: skip
    events, state = when(kept(state), 0, ChooseCard("peanut"))
    assert len(of(events, HeroDestroyed)) == 1
    events, state = when(kept(state), 0, ChooseCard("hook"))
    assert (len(of(events, HeroDestroyed)), state.party_of(1)) == (1, ("wildshot",))
    assert not [each for each in offered(state, 0) if isinstance(each, ChooseCard)]
    events, _ = played({"do": "repeat", "times": {"heroes_of": "me"}, "lines": DRAW["lines"]}, parties={})
    assert drawn(events) == 0


def test_nothing_is_repeated_without_end_or_below_nothing() -> None:
    many = {"heroes_of": "me", "times": 20, "plus": 20}
    events, _ = played(
        {"do": "repeat", "times": many, "lines": [{"do": "gain_points", "count": 1}]}, parties={0: ["peanut", "hook"]}
    )
    assert len(of(events, PointGained)) == 40
    for times, says in (
        (-1, "out of range"),
        (99, "allowed: 1 to 40"),
        ("all", "neither a whole number nor an amount"),
    ):
        with pytest.raises(CardBookError, match=says):
            check_book_text(write_book(card(does=[{"do": "repeat", "times": times, "lines": DRAW["lines"]}])))


# ---- later -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("CARDS-TIME-3")
def test_what_is_put_off_to_the_end_of_the_turn_comes_before_the_next_one() -> None:
    events, state = played({"do": "later", "when": "turn_ends", "lines": DRAW["lines"]}, {"do": "gain_points"})
    (delayed,) = of(events, TextDelayed)
    told = GAME.narration.describe_event(delayed)
    assert told is not None
    assert told["en"].endswith("follows when the turn ends.")
    assert len(of(events, PointGained)) == 1
    (drawn_later,) = GAME.boards.draw(build_view(state, Seat(1)), 1, "standard")["later"]  # type: ignore[index]
    assert (drawn_later["seat"], drawn_later["when"]) == (0, "turn_ends")
    events, after = when(kept(state), 0, EndTurn())
    told_events = [event for event in events if isinstance(event, DelayedTextsDue | CardDrawn | TurnEnded)]
    assert [type(event) for event in told_events] == [DelayedTextsDue, CardDrawn, CardDrawn, TurnEnded]
    assert after.later == ()


@pytest.mark.clause("CARDS-TIME-3")
def test_what_is_put_off_to_the_next_turn_waits_for_that_of_its_player_and_keeps_its_names() -> None:
    later = [{"do": "destroy", "hero": "it"}, {"do": "draw", "count": 2}]
    text = [
        {"do": "choose", "hero": {"to": "destroy"}, "called": "it"},
        {"do": "later", "when": "next_turn", "lines": later},
    ]
    _, state = played(*text, hands=([], [], []))
    state = then(state, 0, ChooseCard("hook"))
    (written,) = GAME.positions.encode_position(kept(state))["later"]
    assert (written["when"], written["by"], written["known"]["it"]) == ("next_turn", 0, ["hook"])
    for seat in (0, 1):
        events, state = when(state, seat, EndTurn())
        assert not of(events, DelayedTextsDue)
    events, state = when(state, 2, EndTurn())
    assert [type(each) for each in events if isinstance(each, TurnStarted | DelayedTextsDue | HeroDestroyed)] == [
        TurnStarted, DelayedTextsDue, HeroDestroyed,
    ]  # fmt: skip
    assert (drawn(events), state.later) == (2, ())


def test_of_what_is_put_off_others_see_what_they_may_know_and_a_text_that_is_not_there_is_refused() -> None:
    text = [{"do": "draw", "count": 1, "called": "mine"},
            {"do": "later", "when": "turn_ends", "lines": [{"do": "throw", "card": "mine"}]}]  # fmt: skip
    _, state = played(*text)
    (own,), (others,) = build_view(state, Seat(0)).later, build_view(state, Seat(1)).later
    assert own.text.bound["mine"] == state.later[0].text.bound["mine"]
    assert own.text.bound["mine"] != others.text.bound["mine"]
    written = GAME.positions.encode_position(state)
    written["later"][0]["line"] = 77
    with pytest.raises(MalformedInput, match="no such line"):
        GAME.positions.decode_position(written)


@pytest.mark.clause("HTS-POINTS-1")
def test_points_that_a_text_gave_contradict_no_position() -> None:
    _, state = played({"do": "gain_points", "count": 3})
    assert state.points_left > 3
    written = GAME.positions.encode_position(state)
    assert "/points" not in str(GAME.positions.tables.find_table(written).examine(written)[1])
    printed = table([], [], points=5)
    written = GAME.positions.encode_position(printed)
    assert "/points" in str(GAME.positions.tables.find_table(written).examine(written)[1])

"""What cards that owners might enter give for a while, and what they keep players from."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.cardscript.moves import ChoosePlayer
from referee.games.here_to_slay import GAME
from referee.games.here_to_slay.events.turns import LastingEffectBegan, LastingEffectEnded
from referee.games.here_to_slay.moves import Attack, Challenge, EndTurn, Modify, PlayCard, RollFor
from referee.games.here_to_slay.state import Table
from tests.games.course import asked, of, refused, then, when
from tests.games.here_to_slay.booked import book_of, card, of_book
from tests.games.here_to_slay.given import attacked, challenged, dice, offered, rolled_for, settlements, stands, table

QUIET = {0: "the_divine_arrow", 1: "the_cloaked_sage", 2: "the_shadow_claw"}
PLUS_4 = "modifier_plus_4"


def played(lasting: dict[str, Any], *hands: list[str], **more: Any) -> tuple[Any, Table]:
    """Magic with a lasting effect is played by seat 0 and stands; with `victim` seat 1 is chosen for it."""
    text = [{"do": "lasting", **lasting}]
    if lasting.get("who") == "victim":
        text = [{"do": "choose", "player": {}, "called": "victim"}, *text]
    book = book_of(card(does=text))
    state = of_book(book, table(*hands, **{"leaders": QUIET, **more}), hand="the_card")
    events, state = stands(state, 0, PlayCard(book.card_id("the_card")))
    if ChoosePlayer(1) in offered(state, 0):
        events, state = when(state, 0, ChoosePlayer(1))
    return events, state


@pytest.mark.clause("HTS-UNTIL-3", "HTS-ROLL-9")
def test_the_next_roll_alone_counts_more_whichever_it_is() -> None:
    lasting = {"what": "roll_bonus", "value": 4, "until": "next_roll"}
    _, state = played(
        lasting, [], [], parties={0: ["peanut", "hook", "bun_bun"]}, row=["terratuga", "dracos", "orthus"]
    )
    events, after = rolled_for(state, "peanut", 1, 2)
    assert settlements(events)[0][0] == 7
    assert [(event.seat, event.until) for event in of(events, LastingEffectEnded)] == [(0, "next_roll")]
    assert after.lasting == ()
    events, _ = rolled_for(after, "hook", 1, 2)
    assert settlements(events)[0][0] == 3
    events, after = attacked(state, "terratuga", 3, 3)
    assert (settlements(events)[0][0], after.lasting) == (11, ())  # the Arrow's 1, too
    state = of_hand(state, ["spooky"], ["challenge"])
    events, after = challenged(state, 0, "spooky", 1, (3, 3), (1, 2))
    assert ([total for total, _ in settlements(events)], after.lasting) == ([6, 7], ())


def of_hand(state: Table, *hands: list[str]) -> Table:
    """The same table with these hands."""
    zones = {**state.zones, **{f"hand:{seat}": tuple(hand) for seat, hand in enumerate(hands)}}
    return replace(state, zones=zones)


@pytest.mark.clause("HTS-UNTIL-3")
def test_what_is_imposed_on_another_ends_when_the_next_turn_of_the_text_s_player_starts() -> None:
    lasting = {"who": "victim", "what": "roll_bonus", "value": -2, "until": "my_turn_start"}
    events, state = played(lasting, [], [], [], parties={1: ["peanut"], 2: ["hook"]})
    (began,) = of(events, LastingEffectBegan)
    assert (began.seat, began.of) == (1, (0,))
    told = GAME.narration.describe_event(began)
    assert told is not None
    assert told["en"].endswith("all of Player 2's rolls count -2 until the next turn of Player 1.")
    (written,) = GAME.positions.encode_position(state)["lasting"]
    assert (written["until"], written["of"]) == ("my_turn_start", [0])
    state = then(state, 0, EndTurn())
    events, after = rolled_for(state, "peanut", 4, 4, seat=1)
    assert settlements(events)[0][0] == 6
    state = then(after, 1, EndTurn())
    assert state.lasting
    assert then(state, 2, EndTurn()).lasting == ()


@pytest.mark.clause("HTS-CANNOT-1", "HTS-CHAL-5")
def test_who_cannot_challenge_is_not_asked() -> None:
    lasting = {"who": "others", "what": "no_challenging", "until": "my_turn_start"}
    _, state = played(lasting, ["peanut"], ["challenge"], ["challenge"])
    assert asked(then(state, 0, PlayCard("peanut"))) == {0}  # about the free roll
    lasting["who"] = "victim"
    _, state = played(lasting, ["peanut"], ["challenge"], ["challenge"])
    state = then(state, 0, PlayCard("peanut"))
    assert asked(state) == {2}
    assert refused(state, 1, Challenge())[1] in ("HTS-CANNOT-1", "HTS-CHAL-4", "HTS-ASK-2", "HTS-CHAL-3", "HTS-CHAL-1")


@pytest.mark.clause("HTS-CANNOT-1")
def test_who_cannot_attack_is_refused_until_the_end_of_the_next_own_turn() -> None:
    lasting = {"who": "victim", "what": "no_attack", "until": "own_turn_end"}
    _, state = played(
        lasting, [], [], parties={1: ["peanut", "hook", "bun_bun"]}, row=["terratuga", "dracos", "orthus"]
    )
    state = then(state, 0, EndTurn())
    assert refused(state, 1, Attack("dracos")) == ("is_barred", "HTS-CANNOT-1")
    assert Attack("dracos") not in offered(state, 1)
    state = then(state, 1, EndTurn())
    state = then(state, 0, EndTurn())
    assert Attack("dracos") in offered(state, 1)


@pytest.mark.clause("HTS-CANNOT-1")
def test_who_cannot_play_modifiers_is_not_asked_in_the_window() -> None:
    lasting = {"who": "victim", "what": "no_modifying", "until": "own_turn_start"}
    _, state = played(lasting, [], [PLUS_4], [PLUS_4], parties={0: ["peanut"]})
    _, state = dice(then(state, 0, RollFor("peanut")), 3, 3)
    assert asked(state) == {2}
    assert not [move for move in offered(state, 1) if isinstance(move, Modify)]


def test_lasting_effects_have_words_wherever_they_are_shown() -> None:
    for what in ("no_attack", "no_challenging", "no_modifying"):
        for until in ("own_turn_end", "own_turn_start", "next_roll", "my_turn_start"):
            told = GAME.narration.describe_event(LastingEffectBegan("peanut", 1, what, until, 0, (0,)))
            assert told is not None
            assert len(set(told.values())) == 2

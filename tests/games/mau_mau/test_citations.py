"""Which clauses are cited when they act, and which are not when their condition is false."""

from __future__ import annotations

import pytest

from referee.engine.codec import decode_named, encode
from referee.engine.events import Event
from referee.games.mau_mau.events import CardPlayed, CardsDrawn
from referee.games.mau_mau.moves import PlayCard
from referee.games.mau_mau.rules.turn import TurnQuestion
from referee.games.mau_mau.state import Table
from tests.games.course import of, when
from tests.games.mau_mau.given import table

OWN, OTHER = ["hearts_7", "hearts_ace", "clubs_jack"], ["spades_7", "spades_9"]


def cited(state: Table, card: str) -> tuple[str, ...]:
    """What the fact cites that seat 0 plays this card."""
    (played,) = of(when(state, 0, PlayCard(card))[0], CardPlayed)
    return played.applied_clauses()


@pytest.mark.clause("MM-AMB-5", "MM-DRAW-2")
def test_that_any_card_may_follow_drawing_is_cited_only_after_drawing() -> None:
    assert cited(table(OWN, OTHER), "hearts_ace") == ("MM-PLAY-1", "MM-PLAIN-1")
    drew = table(OWN, OTHER, agenda=(TurnQuestion(0, drew=True),))
    assert cited(drew, "hearts_ace") == ("MM-PLAY-1", "MM-DRAW-2", "MM-AMB-5", "MM-PLAIN-1")


@pytest.mark.clause("MM-AMB-8", "MM-SEVEN-1")
def test_that_a_seven_answers_a_seven_is_cited_only_where_cards_are_due() -> None:
    assert cited(table(OWN, OTHER), "hearts_7") == ("MM-PLAY-1", "MM-SEVEN-1")
    assert cited(table(OWN, OTHER, top="diamonds_7"), "hearts_7") == ("MM-PLAY-1", "MM-SEVEN-1")
    assert cited(table(OWN, OTHER, top="diamonds_7", due=2), "hearts_7") == ("MM-PLAY-1", "MM-AMB-8", "MM-SEVEN-1")


@pytest.mark.clause("MM-AMB-9", "MM-JACK-1")
def test_that_a_jack_goes_on_a_jack_is_cited_only_there() -> None:
    allowed = {"jack_on_jack": True}
    assert cited(table(OWN, OTHER, rules=allowed), "clubs_jack") == ("MM-JACK-1", "MM-JACK-2")
    on_jack = table(OWN, OTHER, top="hearts_jack", wish="spades", rules=allowed)
    assert cited(on_jack, "clubs_jack") == ("MM-JACK-1", "MM-AMB-9", "MM-JACK-2")


def test_a_log_of_an_earlier_release_that_cites_less_is_the_same_log() -> None:
    drew = table(OWN, OTHER, agenda=(TurnQuestion(0, drew=True),))
    (played,) = of(when(drew, 0, PlayCard("hearts_ace"))[0], CardPlayed)
    (drawn,) = of(when(table(OWN, OTHER, rules={"stacking": False}), 0, PlayCard("hearts_7"))[0], CardsDrawn)
    for now, cited_before in ((played, ("MM-PLAY-1", "MM-PLAIN-1")), (drawn, ("MM-SEVEN-1", "MM-AMB-7"))):
        old = {**encode(now), "rules": list(cited_before)}
        before = decode_named(old, Event)
        assert encode(before) == old
        assert before.applied_clauses() == cited_before != now.applied_clauses()
        assert before.without_refusal() == now.without_refusal()

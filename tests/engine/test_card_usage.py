"""Who drew and who played a card, as the way of the card tells."""

from __future__ import annotations

import pytest

from referee.engine.events import Event
from referee.engine.parts.card_usage import CardUse, collect_card_uses, design_name, sole_viewer
from referee.engine.zones import Moved
from tests.engine.toy import GAME, Cheered, Played


@pytest.mark.parametrize(
    ("source", "target", "uses"),
    [
        ("deck:", "hand:2", [CardUse(2, "sword", "drawn"), CardUse(2, "cake", "drawn")]),
        ("hand:1", "discard", [CardUse(1, "sword", "played"), CardUse(1, "cake", "played")]),
        ("hand:1", "hand:2", []),
        ("discard", "deck:", []),
        ("deck:", "discard", []),
        ("discard", "hand:1", []),
        ("hand:1", "deck:", []),
        ("deck:", "shared:0,1", []),
    ],
)
def test_the_way_of_a_card_tells_who_drew_or_played_it(source: str, target: str, uses: list[CardUse]) -> None:
    cards = ("sword!trigger", "cake#2")
    assert list(collect_card_uses(Moved(source, target, cards, cards))) == uses
    assert list(collect_card_uses(Moved(source, target, ("?", "?trigger"), ("?", "?trigger")))) == []


def test_what_moves_no_card_tells_nothing() -> None:
    assert list(collect_card_uses(Cheered(0))) == []
    assert design_name("sword!trigger#3") == design_name("sword#1") == "sword"
    assert [sole_viewer(place) for place in ("hand:12", "deck:", "discard", "pair:0,1", "party/0")] == [12, *[None] * 4]


def test_a_game_may_say_which_facts_are_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    thrown, played = Moved("hand:0", "discard", ("cake",), ("cake",)), Played("hand:0", "discard", ("a",), ("a",), 0)
    assert [len(list(GAME.tracking.collect_card_uses(event))) for event in (thrown, played)] == [1, 1]
    plays: tuple[type[Event], ...] = (Played,)
    monkeypatch.setattr(GAME.tracking, "card_play_events", plays)
    assert [len(list(GAME.tracking.collect_card_uses(event))) for event in (thrown, played)] == [0, 1]
    drawn = Moved("deck:", "hand:0", ("cake",), ("cake",))
    assert len(list(GAME.tracking.collect_card_uses(drawn))) == 1

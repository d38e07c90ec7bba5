"""What a card counts: levels, hands, items, gold, monsters, a die; in verbs and all the time; and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from referee.engine.chance import RollResult
from referee.engine.referee import build_view
from referee.engine.rulebook.book import BookError
from referee.engine.rulebook.editions import CardBookError
from referee.engine.seats import Seat
from referee.games.books import check_book_text
from referee.games.munchkin import GAME, components
from referee.games.munchkin.card_attributes import Face, StaticAbility
from referee.games.munchkin.conditions import Amount
from referee.games.munchkin.events.combat import FlightRollModified
from referee.games.munchkin.events.course import LevelsGained, LevelsLost
from referee.games.munchkin.events.texts import EffectLapsed
from referee.games.munchkin.moves import KeepRoll
from referee.games.munchkin.strength import score_monsters, score_munchkins, sum_lines
from tests.games.munchkin.own_box import write_book
from tests.games.munchkin.wording import by_chance, of, read, said, table, unsaid, when  # noqa: F401


def counted(**what: Any) -> dict[str, Any]:
    """A line that gives as many levels as are counted."""
    return {"do": "gain_levels", "count": what}


@pytest.mark.clause("MK-9.3")
@pytest.mark.parametrize(
    ("what", "levels"),
    [
        ({"hand_of": "me"}, 3),
        ({"hand_of": "left"}, 0),
        ({"items_of": "me"}, 2),
        ({"level_of": "left"}, 2),
        ({"level_of": "right", "plus": 1}, 2),
        ({"hand_of": "me", "times": 2, "plus": -1}, 5),
        ({"number_of": "everyone"}, 3),
        ({"level_of": "everyone"}, 4),
        ({"monsters_of": "me"}, 0),
    ],
)
def test_a_card_counts_what_is_there_at_that_moment(what: dict[str, Any], levels: int) -> None:
    state = table(hands={0: ("?", "?", "?")}, plays={0: ("bat_hat", "chained_lantern")}, levels=(1, 2, 1))
    events, _ = said(state, counted(**what))
    assert [event.count for event in of(events, LevelsGained)] == [levels] * (levels > 0)
    assert [event.what for event in of(events, EffectLapsed)] == ["counted"] * (levels == 0)
    view = build_view(state, Seat(1))
    assert of(said(view, counted(**what))[0], LevelsGained) == of(events, LevelsGained)


def test_gold_is_counted_once_for_so_much() -> None:
    state = table(plays={0: ("bat_hat", "chained_lantern")}, levels=(1, 1, 1))
    gold = sum(components.FACES[card].gold or 0 for card in ("bat_hat", "chained_lantern"))
    events, _ = said(state, counted(gold_of="me", per=300))
    assert [event.count for event in of(events, LevelsGained)] == [gold // 300]


@pytest.mark.clause("MK-9.1")
def test_a_bonus_counts_the_monsters_of_the_combat() -> None:
    line = {"do": "bonus", "side": "munchkins", "count": {"monsters_of": "main", "times": 2}}
    _, state = said(table(monsters=("attic_widow", "wolfman")), line, by=2)
    assert state.running_combat.added[0].count == 4
    assert sum_lines(score_munchkins(state)) == 7
    events, _ = said(table(), line)
    assert [event.what for event in of(events, EffectLapsed)] == ["bonus"]


@pytest.mark.clause("MK-17.7")
def test_a_die_says_how_many_levels_go_and_a_roll_is_hindered_by_what_is_held() -> None:
    lines: tuple[dict[str, Any], ...] = (
        {"do": "roll", "called": "pips"},
        {"do": "lose_levels", "count": {"value_of": "pips"}},
    )
    _, state = said(table(levels=(9, 1, 1)), *lines)
    events, state = by_chance(state, RollResult((4,)))
    if not of(events, LevelsLost):
        events, state = when(state, 0, KeepRoll())
    assert [event.count for event in of(events, LevelsLost)] == [4]
    hinder = {"do": "hinder", "who": "me", "count": {"hand_of": "me", "times": -1}}
    events, _ = said(table(hands={0: ("?", "?")}), hinder)
    assert [event.count for event in of(events, FlightRollModified)] == [-2]


def test_nothing_is_drawn_where_nothing_is_counted() -> None:
    events, _ = said(table(), {"do": "draw", "deck": "door", "count": {"hand_of": "me"}})
    assert [event.what for event in of(events, EffectLapsed)] == ["counted"]
    for line in (
        {"do": "hinder", "who": "me", "count": {"hand_of": "me"}},
        {"do": "lose_levels", "count": {"hand_of": "me", "times": -1}},
    ):
        assert [event.what for event in of(said(table(), line)[0], EffectLapsed)] == ["counted"]


# ---- all the time ----------------------------------------------------------------------------------------------------


@pytest.fixture
def counting() -> Iterator[None]:
    """A hat that counts hand cards, and a monster that counts the level of main."""
    hand, level = Amount("hand_of", "me"), Amount("level_of", "main")
    components.FACES["counting_hat"] = Face(
        "counting_hat", "item", slot="headgear", gold=100, standing=(StaticAbility("strength", counted=hand),)
    )
    components.FACES["mirror"] = Face(
        "mirror", "monster", level=2, standing=(StaticAbility("strength", counted=level),)
    )
    yield
    for card in ("counting_hat", "mirror"):
        del components.FACES[card]


@pytest.mark.clause("MK-7.4", "MK-9.3")
@pytest.mark.usefixtures("counting")
def test_strength_follows_what_is_counted_and_says_where_it_comes_from() -> None:
    for held in (0, 1, 4):
        state = table(hands={0: ("?",) * held}, plays={0: ("counting_hat",)}, monsters=("mirror",), levels=(5, 1, 1))
        ours, theirs = score_munchkins(state), score_monsters(state)
        assert (sum_lines(ours), sum_lines(theirs)) == (5 + held, 2 + 5)
        assert ("line.condition", held, "counting_hat") in [(line.says, line.count, line.card) for line in ours]
        assert ("line.against", 5, "mirror") in [(line.says, line.count, line.card) for line in theirs]
        seen = build_view(state, Seat(2))
        assert (score_munchkins(seen), score_monsters(seen)) == (ours, theirs)


# ---- what is refused -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "what",
    [{"hand_of": 1}, {"hands_of": "me"}, {"hand_of": "me", "times": 0}, {"hand_of": "me", "per": 0}, "some", {}, [],
     {"hand_of": "me", "plus": True}, {"hand_of": "me", "level_of": "me"}],
)  # fmt: skip
def test_what_is_no_amount_is_refused_when_the_card_is_read(what: Any) -> None:
    with pytest.raises(BookError, match=r"is not an amount: a whole number, or something counted"):
        read({"do": "gain_levels", "count": what})


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("does", [{"do": "draw", "deck": "door", "count": {"hand_of": "nobody"}}], "hand_of needs a name of this text"),
        (
            "does",
            [{"do": "draw", "deck": "door", "count": {"hand_of": "this"}}],
            "'this' stands for a card, not for pl",
        ),
        (
            "does",
            [{"do": "draw", "deck": "door", "count": {"value_of": "me"}}],
            "'me' stands for players, not for a num",
        ),
        ("standing", [{"strength": {"hand_of": "main"}}], "what a card of kind ride counts all the time is of me"),
        ("standing", [{"strength": {"number_of": "me"}}], "strength counts level_of, hand_of"),
        ("standing", [{"escape": {"hand_of": "me"}}], "is not a whole number from -20 to 20"),
    ],
)
def test_a_card_that_counts_what_there_is_not_is_refused(key: str, value: Any, says: str) -> None:
    kind = {"does": {"kind": "treasure_special", "when": "calm"}, "standing": {"kind": "ride", "when": "calm"}}[key]
    card = {"id": "counter", "name": "Counter", "text": "Counts.", **kind, key: value}
    with pytest.raises(CardBookError) as error:
        check_book_text(write_book("counters", [card], extends="printed"), "counters.yaml")
    assert says in str(error.value)
    assert GAME.find_card_book("counters") is None

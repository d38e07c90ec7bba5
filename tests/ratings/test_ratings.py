"""Ratings are one function of results and links: of their order by end and id, and of nothing else."""

from __future__ import annotations

import random
from typing import Any

import pytest
from openskill.models import PlackettLuce

from referee.eventstore.accounts import DELETED_PLAYER
from referee.ratings import ratings, results
from referee.ratings.ratings import Ladder, MatchResult, PlayerStanding, build_result


def match(name: str, ended_ms: int, *holders: str | None, won: int = 0, together: bool = False) -> MatchResult:
    ranks = tuple(int(seat != won) for seat in range(len(holders)))
    return MatchResult(ended_ms, name, holders, ranks, frozenset({won} if won >= 0 else ()), together)


def row(**changes: Any) -> dict[str, Any]:
    seats = [
        {"kind": "human", "level": 0, "taken": True, "sat": 2},
        {"kind": "bot", "level": 1, "taken": False, "sat": None},
        {"kind": "human", "level": 0, "taken": False, "sat": 9},
    ]
    made: dict[str, Any] = {
        "game": "toy", "variant": "standard", "visibility": "public", "status": "finished", "by_rules": True,
        "seats": seats, "order": [1, 2, 0], "winners": [1], "placement": [[1], [0, 2]], "ended_at_ms": 5, "alone": [],
    }  # fmt: skip
    return made | changes


def test_a_rating_is_that_of_openskill() -> None:
    found = Ladder.from_results([match("a", 1, "pl-a", "pl-b"), match("b", 2, "pl-b", "pl-a")]).standings
    model = PlackettLuce()
    one, two = model.rating(), model.rating()
    for winner in (0, 1):
        (one,), (two,) = model.rate([[one], [two]], ranks=[int(winner != 0), int(winner != 1)])
    assert (found["pl-a"].mu, found["pl-a"].sigma) == (one.mu, one.sigma)
    assert (found["pl-b"].mu, found["pl-b"].sigma) == (two.mu, two.sigma)
    assert found["pl-a"].rating == one.ordinal()


def test_results_in_any_order_come_to_the_same_bits() -> None:
    dice = random.Random(11)
    people = ["pl-a", "pl-b", "pl-c", "bot:0", "bot:1"]
    played = [match(f"m{at}", at // 3, *dice.sample(people, 3), won=dice.randrange(3)) for at in range(60)]
    first = Ladder.from_results(played)
    for _ in range(5):
        dice.shuffle(played)
        again = Ladder.from_results(played)
        assert again == first
        assert repr(again.standings) == repr(first.standings)


def test_going_on_from_results_equals_reckoning_them_all_and_going_back_is_refused() -> None:
    played = [match(f"m{at}", at, "pl-a", "pl-b", won=at % 2) for at in range(10)]
    assert Ladder.from_results(played[:4]).add_results(played[4:]) == Ladder.from_results(played)
    with pytest.raises(ValueError, match="order"):
        Ladder.from_results(played).add_result(played[3])


def test_a_result_that_is_read_late_comes_to_the_same_bits_from_any_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings, "MARK_INTERVAL", 4)
    monkeypatch.setattr(ratings, "MAX_MARKS", 3)
    dice, kept, known = random.Random(2), Ladder(), []
    played = [match(f"m{at:02d}", at, *dice.sample(["pl-a", "pl-b", "pl-c"], 2), won=at % 2) for at in range(60)]
    late = [*played[:10], *played[11:30], played[10], *played[31:50], played[30], *played[50:]]
    for each in late:
        known = sorted([*known, each], key=lambda one: one.sort_key)
        before = repr(kept)
        after = kept.compute_standings(known)
        assert repr(kept) == before
        assert repr((after.standings, after.results)) == repr(
            ((fresh := Ladder.from_results(known)).standings, fresh.results)
        )
        assert len(after.marks) <= 3
        kept = after
    for gone in (59, 40, 3):  # taken back, from the end and from long before every mark
        known = known[:gone] + known[gone + 1 :]
        kept = kept.compute_standings(known)
        assert kept == Ladder.from_results(known)
    assert kept.compute_standings([]) == Ladder()


def test_order_matters_so_it_has_to_be_fixed() -> None:
    one, other = match("a", 1, "pl-a", "pl-b"), match("b", 2, "pl-b", "pl-c")
    swapped = [match("a", 2, "pl-a", "pl-b"), match("b", 1, "pl-b", "pl-c")]
    assert Ladder.from_results([one, other]).standings["pl-b"].mu != Ladder.from_results(swapped).standings["pl-b"].mu


@pytest.mark.parametrize(
    ("holders", "rated"),
    [
        (("pl-a", "pl-b"), True),
        (("pl-a", "bot:0"), True),
        (("bot:0", "bot:1"), True),
        (("pl-a", DELETED_PLAYER), True),
        (("pl-a", None), False),
        (("pl-a", "pl-a"), False),
        (("bot:0", "bot:0"), False),
        (("pl-a", "bot:0", "bot:0"), True),
        (("pl-a", "pl-a", "bot:0"), False),
        ((DELETED_PLAYER, DELETED_PLAYER), True),
    ],
)
def test_what_is_rated(holders: tuple[str | None, ...], rated: bool) -> None:
    one = match("a", 1, *holders)
    assert one.is_rated is rated
    found = Ladder.from_results([one]).standings
    assert all(each.rated == int(rated) for each in found.values())
    assert set(found) == {each for each in holders if each not in (None, DELETED_PLAYER)}
    assert found.get("pl-a", PlayerStanding()).played == holders.count("pl-a")


def test_a_level_of_bots_on_several_seats_moves_by_their_mean() -> None:
    found = Ladder.from_results([match("a", 1, "pl-a", "bot:0", "bot:0")]).standings
    model = PlackettLuce()
    team = [one for (one,) in model.rate([[model.rating()] for _ in range(3)], ranks=[0, 1, 1])]
    assert found["bot:0"].mu == pytest.approx((team[1].mu + team[2].mu) / 2, rel=1e-15)
    assert (found["bot:0"].played, found["bot:0"].rated) == (2, 1)


def test_whoever_is_gone_plays_as_somebody_new_and_is_not_kept() -> None:
    played = [match("a", 1, "pl-a", DELETED_PLAYER), match("b", 2, "pl-b", DELETED_PLAYER, won=1)]
    found = Ladder.from_results(played).standings
    fresh = Ladder.from_results([match("b", 2, "pl-b", "pl-new", won=1)]).standings
    assert DELETED_PLAYER not in found
    assert found["pl-b"] == fresh["pl-b"]


def test_a_draw_moves_nobody_of_equal_rating() -> None:
    drawn = MatchResult(1, "a", ("pl-a", "pl-b"), (0, 0), frozenset(), False)
    found = Ladder.from_results([drawn]).standings
    assert found["pl-a"].mu == pytest.approx(25.0)
    assert found["pl-a"].won == found["pl-b"].won == 0


def test_those_who_play_together_rise_when_the_box_is_beaten_and_fall_when_it_wins() -> None:
    beaten = Ladder.from_results([MatchResult(1, "a", ("pl-a", "pl-b"), (0, 0), frozenset({0, 1}), True)]).standings
    lost = Ladder.from_results([MatchResult(1, "a", ("pl-a", "pl-b"), (0, 0), frozenset(), True)]).standings
    assert beaten["pl-a"].mu > 25 > lost["pl-a"].mu
    assert beaten["box:2"].mu < 50 < lost["box:2"].mu
    assert (beaten["box:2"].won, lost["box:2"].won) == (0, 1)


def test_a_seat_is_held_by_whoever_sat_down_last_also_when_he_has_left() -> None:
    found = build_result("a", row(), {2: "pl-a", 9: "pl-c"}, False)
    assert found.holders == ("pl-a", "bot:1", "pl-c")
    assert found.ranks == (1, 0, 1)
    assert build_result("a", row(), {3: "pl-a"}, False).holders == (None, "bot:1", None)


@pytest.mark.parametrize(
    "changes",
    [
        {"visibility": "private"},
        {"status": "abandoned"},
        {"by_rules": False},
        {"status": "running"},
        {"alone": [[7, "alone.took_back"]]},
    ],
)
def test_what_does_not_count_adds_nothing(changes: dict[str, Any]) -> None:
    assert results.is_counted(row())
    assert not results.is_counted(row(**changes))
    assert results.compute_contributions("a", row(**changes)) == {}


def test_what_counts_adds_seats_turns_and_a_digest() -> None:
    added = results.compute_contributions("a", row())["toy|standard"]
    assert {name: value for name, value in added.items() if name != "digest"} == {
        "played": 1, "seat:0:played": 1, "seat:1:played": 1, "seat:1:won": 1, "seat:2:played": 1,
        "order:0:played": 1, "order:0:won": 1, "order:1:played": 1, "order:2:played": 1,
    }  # fmt: skip
    assert added["digest"] != results.compute_contributions("b", row())["toy|standard"]["digest"]


def test_places_are_counted_with_equals_together() -> None:
    assert [results.find_place(row(), seat) for seat in range(4)] == [2, 1, 2, None]

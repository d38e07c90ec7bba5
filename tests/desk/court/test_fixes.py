"""Corrections by hand: what comes of them has to be a table that can be, and tells nobody what he may not see."""

from __future__ import annotations

from typing import Any

import pytest

from referee.desk.court.asks import Rule
from referee.desk.court.facts import Corrected
from referee.desk.court.fixes import put_right
from referee.desk.court.replay import first_divergence
from referee.desk.matches import Match
from referee.desk.moving import after_all
from referee.kernel.box import Malformed
from referee.kernel.play import awaited, view
from referee.kernel.rulings import Refused
from referee.kernel.seats import BYSTANDER, CHANCE, FULL, Seat
from referee.kernel.zones import is_back
from tests.desk.court.playing import GAMES, disputes, plays, started

CARDS = tuple(game for game in GAMES if game != "shy_monsters")


def midway(game: str, source: str = "server") -> tuple[Any, str, Match]:
    """A referee with a match that has gone on for a while, where people are asked."""
    house, match = started(game, source)
    for seed in range(20):
        plays(house, match, seed, 25 if not seed else 1)
        found = house.load(match).match
        if found.end is None and CHANCE not in awaited(found.state) and found.state.turn >= 0:
            return house, match, found
    raise AssertionError("the match never rests on people")


def refused(match: Match, *fix: Any) -> str:
    with pytest.raises(Refused) as told:
        put_right(match, fix)
    assert told.value.ruling.reason == "court.position_impossible"
    assert told.value.ruling.clauses == ("TABLE-REMEDY-2",)
    return str(told.value.ruling.params["detail"])


def malformed(match: Match, *fix: Any) -> str:
    with pytest.raises(Malformed) as told:
        put_right(match, fix)
    return told.value.errors[0]["pointer"]


@pytest.mark.clause("TABLE-REMEDY-2")
@pytest.mark.parametrize("source", ["server", "table"])
@pytest.mark.parametrize("game", CARDS)
def test_a_seat_is_given_its_turn_and_play_goes_on(game: str, source: str) -> None:
    found = midway(game, source)[2]
    given = 0
    for seat in range(len(found.chairs)):
        try:
            facts = put_right(found, ({"turn": seat},))
        except Refused:
            continue  # cards lie in the middle of the table, or the player is out
        given += 1
        stages = [after_all(found, facts[:upto]) for upto in range(1, len(facts) + 1)]
        assert seat in [found.rules.on_turn(stage.state) for stage in stages]  # it may be over by itself
        assert awaited(stages[-1].state)
    assert given or found.state.agenda[:-1], "with nothing pending any seat can be on turn"


def test_in_shy_monsters_the_question_of_a_seat_is_uncovered() -> None:
    house, match = started("shy_monsters")
    plays(house, match, 1, 1)
    found = house.load(match).match
    (asked,) = awaited(found.state)
    assert awaited(after_all(found, put_right(found, ({"turn": int(asked)},))).state) == {asked}


@pytest.mark.parametrize("game", CARDS)
def test_a_card_goes_to_another_hand_and_back(game: str) -> None:
    found = midway(game)[2]
    hands = {place: cards for place, cards in found.state.zones.items() if place.startswith("hand:") and cards}
    source = next(iter(hands))
    target = "hand:1" if source == "hand:0" else "hand:0"
    card = hands[source][0]
    facts = put_right(found, ({"move": card, "from": source, "to": target},))
    after = after_all(found, facts)
    assert card in after.state.place(target)
    assert len(after.state.place(source)) == len(hands[source]) - 1
    again = put_right(after, ({"move": card, "from": target, "to": source},))
    assert sorted(after_all(after, again).state.place(source)) == sorted(hands[source])
    malformed(found, {"move": "no_such_card", "from": source, "to": target})
    malformed(found, {"move": card, "from": source, "to": "nowhere"})


@pytest.mark.parametrize(
    ("game", "pointer", "value"),
    [
        ("monster_combat", "/hearts/0", 9),
        ("munchkin", "/levels/1", 99),
        ("here_to_slay", "/turn", 77),
        ("creature_crush", "/dice", [9, 9, 9, 9, 9, 9]),
        ("shy_monsters", "/pawn", [40, 40]),
    ],
)
def test_what_can_be_at_no_table_is_refused(game: str, pointer: str, value: Any) -> None:
    house, match = started(game)
    plays(house, match, 1, 8)
    found = house.load(match).match
    assert refused(found, {"set": pointer, "to": value})
    assert malformed(found, {"set": "/no_such_thing/3", "to": 1}) == "/fix/0/set"
    assert malformed(found, {"set": "/agenda", "to": []}) == "/fix/0/set"
    assert malformed(found, {"set": pointer, "to": {"strange": 1}}) == "/fix/0/set"
    assert malformed(found, {"turn": 99}) == "/fix/0/turn"
    assert malformed(found, {"question": "answer"}) == "/fix/0/question"
    assert malformed(found, {"unheard": "of"}) == "/fix/0"
    assert malformed(found) == "/fix"


@pytest.mark.parametrize(
    ("game", "pointer", "value"), [("monster_combat", "/hearts/0", 2), ("munchkin", "/levels/1", 4)]
)
def test_a_count_is_put_right(game: str, pointer: str, value: int) -> None:
    found = midway(game)[2]
    after = after_all(found, put_right(found, ({"set": pointer, "to": value},)))
    field, at = pointer.split("/")[1:]
    assert getattr(after.state, field)[int(at)] == value


@pytest.mark.clause("TABLE-REMEDY-2")
@pytest.mark.clause("TABLE-RULING-4")
@pytest.mark.parametrize("game", CARDS)
def test_an_arbiter_corrects_by_hand_and_each_seat_sees_its_part(game: str) -> None:
    house, match, found = midway(game)
    last = max(
        e.version for e in house.entries(match) if e.seat >= 0 and house.evidence(house.load(match)).entry(e.version)
    )
    dispute = disputes(house, match, last, "wrong_count", "1")
    source = next(place for place in ("hand:0", "hand:1") if found.state.place(place))
    card = found.state.place(source)[0]
    fix = ({"move": card, "from": source, "to": "hand:1" if source == "hand:0" else "hand:0"},)
    rule = Rule(dispute.number, "arbiter", (), True, "partial_fix", ("TABLE-REMEDY-2",), "counted again", fix)
    house.business(match, rule, key="rule", scope="arbiter")
    after = house.load(match).match
    assert card in after.state.place(fix[0]["to"])
    entry = next(e for e in house.entries(match) if any(isinstance(f, Corrected) for f in e.facts))
    before = house.at(match, entry.version - 1).match
    for eyes in (*range(len(after.chairs)), BYSTANDER):
        move, facts = entry.seen_by(int(eyes))
        seen = after_all(before.seen_by(int(eyes)), facts)
        whole = house.at(match, entry.version).match
        assert seen.state == view(whole.state, Seat(eyes))
        assert isinstance(move, Rule)
        told = move.fix[0]["move"]
        assert told == card if eyes in (0, 1) else is_back(told)
    assert entry.seen_by(FULL)[0] == rule
    assert first_divergence(house.entries(match)) is None

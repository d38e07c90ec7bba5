"""Corrections by hand: what comes of them has to be a table that can be, and tells nobody what he may not see."""

from __future__ import annotations

from typing import Any

import pytest

from referee.arbitration.remedies.manual_corrections import apply_corrections, is_value_visible
from referee.arbitration.replay.replay import find_first_divergence
from referee.engine.referee import build_view, seats_that_must_act
from referee.engine.rulings import IllegalMove, MalformedInput
from referee.engine.seats import BYSTANDER, CHANCE, FULL_VIEWER, Seat
from referee.engine.zones import is_back
from referee.games.shy_monsters.components import MONSTERS
from referee.match.aggregate import Match
from referee.match.events.dispute_commands import IssueRuling
from referee.match.events.dispute_events import TableCorrected
from referee.match.game_moves import apply_all
from tests.arbitration.playing import GAMES, disputes, plays, started

HIDDEN = "It does not go with what lies hidden."
CARDS = tuple(game for game in GAMES if game != "shy_monsters")


def midway(game: str, source: str = "server") -> tuple[Any, str, Match]:
    """A referee with a match that has gone on for a while, where people are asked."""
    house, match = started(game, source)
    for seed in range(20):
        plays(house, match, seed, 25 if not seed else 1)
        found = house.load_match(match).match
        at_rest = found.end is None and CHANCE not in seats_that_must_act(found.state)
        if at_rest and found.rules.seat_on_turn(found.state) is not None:
            return house, match, found
    raise AssertionError("the match never rests on people")


def refused(match: Match, *fix: Any) -> str:
    with pytest.raises(IllegalMove) as told:
        apply_corrections(match, fix)
    assert told.value.ruling.reason == "court.position_impossible"
    assert told.value.ruling.clauses == ("TABLE-REMEDY-2",)
    detail = told.value.ruling.params["detail"]
    assert "/" not in detail["de"]  # nobody wrote a position, so no place in one is named
    assert detail["de"] != detail["en"]
    return str(detail["en"])


def malformed(match: Match, *fix: Any) -> str:
    with pytest.raises(MalformedInput) as told:
        apply_corrections(match, fix)
    return told.value.errors[0]["pointer"]


@pytest.mark.clause("TABLE-REMEDY-2")
@pytest.mark.parametrize("source", ["server", "table"])
@pytest.mark.parametrize("game", CARDS)
def test_a_seat_is_given_its_turn_and_play_goes_on(game: str, source: str) -> None:
    found = midway(game, source)[2]
    given = 0
    for seat in range(len(found.chairs)):
        try:
            events = apply_corrections(found, ({"turn": seat},))
        except IllegalMove:
            continue  # cards lie in the middle of the table, or the player is out
        given += 1
        stages = [apply_all(found, events[:upto]) for upto in range(1, len(events) + 1)]
        assert seat in [found.rules.seat_on_turn(stage.state) for stage in stages]  # it may be over by itself
        assert seats_that_must_act(stages[-1].state)
    assert given or found.state.agenda[:-1], "with nothing pending any seat can be on turn"


def test_in_shy_monsters_the_question_of_a_seat_is_uncovered() -> None:
    house, match = started("shy_monsters")
    plays(house, match, 1, 1)
    found = house.load_match(match).match
    (asked,) = seats_that_must_act(found.state)
    assert seats_that_must_act(apply_all(found, apply_corrections(found, ({"turn": int(asked)},))).state) == {asked}


@pytest.mark.parametrize("game", CARDS)
def test_a_card_goes_to_another_hand_and_back(game: str) -> None:
    found = midway(game)[2]
    hands = {place: cards for place, cards in found.state.zones.items() if place.startswith("hand:") and cards}
    source = next(iter(hands))
    target = "hand:1" if source == "hand:0" else "hand:0"
    card = hands[source][0]
    events = apply_corrections(found, ({"move": card, "from": source, "to": target},))
    after = apply_all(found, events)
    assert card in after.state.cards_at(target)
    assert len(after.state.cards_at(source)) == len(hands[source]) - 1
    again = apply_corrections(after, ({"move": card, "from": target, "to": source},))
    assert sorted(apply_all(after, again).state.cards_at(source)) == sorted(hands[source])
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
    found = house.load_match(match).match
    assert refused(found, {"set": pointer, "to": value})
    assert malformed(found, {"set": "/no_such_thing/3", "to": 1}) == "/fix/0/set"
    assert malformed(found, {"set": "/agenda", "to": []}) == "/fix/0/set"
    assert malformed(found, {"set": pointer, "to": {"strange": 1}}) == "/fix/0/set"
    assert malformed(found, {"turn": 99}) == "/fix/0/turn"
    assert malformed(found, {"question": "answer"}) == "/fix/0/question"
    assert malformed(found, {"unheard": "of"}) == "/fix/0"
    assert malformed(found) == "/fix"


@pytest.mark.parametrize("index", ["٠", "00", "01", "-1", "+1", "1 ", "-", ""])
def test_the_place_in_a_list_is_an_index_of_rfc_6901(index: str) -> None:
    house, match = started("monster_combat")
    plays(house, match, 1, 8)
    assert malformed(house.load_match(match).match, {"set": f"/hearts/{index}", "to": 1}) == "/fix/0/set"


@pytest.mark.parametrize(
    ("game", "pointer", "value"), [("monster_combat", "/hearts/0", 2), ("munchkin", "/levels/1", 4)]
)
def test_a_count_is_put_right(game: str, pointer: str, value: int) -> None:
    found = midway(game)[2]
    after = apply_all(found, apply_corrections(found, ({"set": pointer, "to": value},)))
    field, at = pointer.split("/")[1:]
    assert getattr(after.state, field)[int(at)] == value


@pytest.mark.clause("TABLE-REMEDY-2")
@pytest.mark.clause("TABLE-RULING-4")
@pytest.mark.parametrize("game", CARDS)
def test_an_arbiter_corrects_by_hand_and_each_seat_sees_its_part(game: str) -> None:
    house, match, found = midway(game)
    last = max(
        e.version
        for e in house.repository.load_entries(match)
        if e.seat >= 0 and house.build_evidence(house.load_match(match)).find_entry(e.version)
    )
    dispute = disputes(house, match, last, "wrong_count", "1")
    source = next(place for place in ("hand:0", "hand:1") if found.state.cards_at(place))
    card = found.state.cards_at(source)[0]
    fix = ({"move": card, "from": source, "to": "hand:1" if source == "hand:0" else "hand:0"},)
    rule = IssueRuling(dispute.number, "host", (), True, "partial_fix", ("TABLE-REMEDY-2",), "counted again", fix)
    house.execute_command(match, rule, key="rule", scope="arbiter")
    after = house.load_match(match).match
    assert card in after.state.cards_at(fix[0]["to"])
    entry = next(
        e for e in house.repository.load_entries(match) if any(isinstance(f, TableCorrected) for f in e.events)
    )
    before = house.load_version(match, entry.version - 1).match
    for viewer in (*range(len(after.chairs)), BYSTANDER):
        move, events = entry.view_for(int(viewer))
        seen = apply_all(before.view_for(int(viewer)), events)
        whole = house.load_version(match, entry.version).match
        assert seen.state == build_view(whole.state, Seat(viewer))
        assert isinstance(move, IssueRuling)
        told = move.fix[0]["move"]
        assert told == card if viewer in (0, 1) else is_back(told)
    assert entry.view_for(FULL_VIEWER)[0] == rule
    assert find_first_divergence(house.repository.load_entries(match)) is None


def test_a_back_means_the_first_card_of_a_pile() -> None:
    found = midway("here_to_slay")[2]
    pile = found.state.cards_at("deck:")
    after = apply_all(found, apply_corrections(found, ({"move": "?", "from": "deck:", "to": "hand:1"},)))
    assert after.state.cards_at("deck:") == pile[1:]
    assert pile[0] in after.state.cards_at("hand:1")
    top = apply_all(found, apply_corrections(found, ({"move": pile[3], "from": "deck:", "to": "deck:", "top": True},)))
    assert top.state.cards_at("deck:")[0] == pile[3]
    assert malformed(found, {"move": "?", "from": "hand:1", "to": "hand:0"}) == "/fix/0/move"  # which of them?


def test_why_a_table_cannot_be_tells_nothing_of_hidden_cards() -> None:
    """A face that is named wrongly may clash with a card in the pile or with one that lies up: only the latter is told
    in words that say more than that it clashes."""
    house, match = started("shy_monsters")
    plays(house, match, 1, 4)
    found = house.load_match(match).match
    up = next(at for at, tile in enumerate(found.state.tiles) if tile.up and tile.card in MONSTERS)
    lying = {tile.card for tile in found.state.tiles if tile.up}
    for face in MONSTERS:
        if face in found.state.cards_at("pile:"):
            assert refused(found, {"set": f"/tiles/{up}/card", "to": face}) == HIDDEN
        elif face in lying - {found.state.tiles[up].card}:
            assert face in refused(found, {"set": f"/tiles/{up}/card", "to": face})


def test_two_cards_of_a_floor_change_places() -> None:
    house, match = started("shy_monsters")
    plays(house, match, 1, 4)
    found = house.load_match(match).match
    one, two = [at for at, tile in enumerate(found.state.tiles) if not tile.up and tile.card in ("corridor", "exit")][
        :2
    ]
    tiles = found.state.tiles
    fix = [{"set": f"/tiles/{at}/card", "to": tiles[other].card} for at, other in ((one, two), (two, one))]
    after = apply_all(found, apply_corrections(found, tuple(fix)))
    assert [after.state.tiles[at].card for at in (one, two)] == [tiles[at].card for at in (two, one)]


def test_a_value_that_lies_hidden_is_known_as_such() -> None:
    house, match = started("shy_monsters")
    plays(house, match, 1, 2)
    found = house.load_match(match).match
    down = next(at for at, tile in enumerate(found.state.tiles) if not tile.up)
    master = found.state.dungeon_master
    assert not is_value_visible(found, f"/tiles/{down}/card", (BYSTANDER, 1 - master))
    assert is_value_visible(found, f"/tiles/{down}/card", (BYSTANDER, master))
    assert is_value_visible(found, f"/tiles/{down}/card", (FULL_VIEWER,))
    assert is_value_visible(found, "/pawn", (BYSTANDER,))
    assert is_value_visible(found, "/no/such/thing", (BYSTANDER,))

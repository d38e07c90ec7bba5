"""Matches in memory, and the lines that record them."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from referee.bots.playing import MindStuckError, play_match
from referee.bots.tournaments.pairing import Plan, list_pairings
from referee.bots.tournaments.players import LevelMind, UnknownMindError, find_mind, list_minds
from referee.bots.tournaments.records import (
    HOW,
    DamagedRecordsError,
    MatchRecord,
    find_mismatch,
    parse_records,
    play_pairing,
    select_whole_rounds,
)
from referee.engine.chance import ShuffleResult
from referee.engine.game import Setup
from referee.games import load_games

PLAN = Plan("mau_mau", "standard", ("1", "0"), 2, "x")


class Ticking:
    """A clock that goes on by 2 ms whenever somebody looks."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.002
        return self.now


def played(rounds: int = 2) -> list[MatchRecord]:
    return [play_pairing(PLAN, each, Ticking()) for each in list_pairings(PLAN, rounds)]


def test_the_same_seed_gives_the_same_match_and_another_one_does_not() -> None:
    first, again = played(), played()
    assert first == again
    assert len({record.cards and record.to_line().partition('"winners"')[2] for record in first}) == len(first)


def test_a_round_begins_with_the_same_deck_whoever_sits_where() -> None:
    decks = []
    for pairing in list_pairings(PLAN, 1):
        orders: list[Any] = []
        play_match(
            "mau_mau",
            Setup("standard", 2),
            [find_mind(name, load_games()["mau_mau"]) for name in pairing.seats],
            pairing.seed,
            lambda state, seat, move, events, orders=orders: orders.append(move),
        )
        decks.append(next(move for move in orders if isinstance(move, ShuffleResult)))
    assert decks[0] == decks[1]


def test_a_record_survives_being_written_down() -> None:
    for record in played(1):
        assert MatchRecord.from_dict(json.loads(record.to_line())) == record
        assert record.thoughts == tuple(round(ms / 2) for ms in record.cpu_ms)
        assert record.slowest_ms == (2.0, 2.0)
        assert sorted(record.order) == [0, 1]
        assert record.winners in ((0,), (1,))
        assert all(len(by_seat) == 2 for counts in record.cards.values() for by_seat in counts)
        assert set(record.without_times().cpu_ms) == {0.0}


def test_cards_are_counted_as_they_are_drawn_and_played() -> None:
    game, kinds = load_games()["mau_mau"], Counter[str]()
    pairing = next(list_pairings(PLAN, 1))
    record = play_pairing(PLAN, pairing, Ticking())

    def watch(state: Any, seat: Any, move: Any, events: Any) -> None:
        kinds.update(f"{use.card} {use.how}" for event in events for use in game.tracking.collect_card_uses(event))

    minds = [find_mind(name, game) for name in pairing.seats]
    play_match("mau_mau", Setup("standard", 2), minds, pairing.seed, watch)
    counted = {
        f"{card} {how}": sum(by_seat)
        for card, counts in record.cards.items()
        for how, by_seat in zip(HOW, counts, strict=True)
        if sum(by_seat)
    }
    assert counted == kinds


@pytest.mark.parametrize("cut", [1, 7, 200])
def test_a_torn_last_line_is_left_out(cut: int) -> None:
    records = played()
    data = "".join(record.to_line() for record in records).encode()
    found, whole = parse_records(data[:-cut])
    assert list(found.values()) == records[:-1]
    assert data[:whole] + records[-1].to_line().encode() == data
    assert parse_records(data) == ({record.number: record for record in records}, len(data))
    assert parse_records(b"") == ({}, 0)


def test_a_last_line_that_is_whole_and_no_record_is_left_out_as_well() -> None:
    """After a power cut a block of zeros may stand where the line was to be."""
    data = "".join(record.to_line() for record in played(1)).encode()
    assert parse_records(data + b"\0\0\0\0\n")[1] == len(data)


@pytest.mark.parametrize("line", ["{}", "[1]", "null", "{", '{"number": 0}'])
def test_a_damaged_line_in_the_middle_is_named(line: str) -> None:
    one, other = played(1)
    with pytest.raises(DamagedRecordsError, match="line 2 is no record"):
        parse_records(f"{one.to_line()}{line}\n{other.to_line()}".encode())


def test_only_whole_rounds_count() -> None:
    records = played(3)
    assert select_whole_rounds(reversed(records), 2) == records
    assert select_whole_rounds(records[:5], 2) == records[:4]
    assert select_whole_rounds([*records[:2], *records[3:]], 2) == records[:2]
    assert select_whole_rounds([], 2) == []


def test_a_record_of_another_match_is_found() -> None:
    records = played(1)
    assert find_mismatch(records, PLAN) is None
    assert find_mismatch(records, Plan("mau_mau", "standard", ("1", "0"), 2, "y")) == records[0]
    assert find_mismatch(records, Plan("mau_mau", "standard", ("0", "1"), 2, "x")) == records[0]


def test_a_mind_that_finds_no_move_is_named() -> None:
    class Idle(LevelMind):
        def choose_move(self, *_: Any) -> None:
            return None

    idle = Idle("idle", 0)
    with pytest.raises(MindStuckError, match="idle at seat"):
        play_match("mau_mau", Setup("standard", 2), [idle, idle], "1")


def test_a_match_that_takes_too_long_has_no_winner() -> None:
    game = load_games()["mau_mau"]
    minds = [find_mind("1", game)] * 2
    result = play_match("mau_mau", Setup("standard", 2), minds, "1", most_moves=5)
    assert result.outcome is None
    assert result.winners is None


def test_a_mind_may_hear_of_events_as_its_seat_knows_them() -> None:
    heard = dict[int, list[Any]]()

    class Listening(LevelMind):
        def note_events(self, events: tuple[Any, ...]) -> None:
            heard.setdefault(id(self), []).extend(events)

    minds = [Listening("l", 1) for _ in range(2)]
    shown = list[Any]()
    play_match("mau_mau", Setup("standard", 2), minds, "1", lambda *told: shown.extend(told[3]))
    for seat, mind in enumerate(minds):
        assert heard[id(mind)] == [event.view_for(seat) for event in shown]
    assert heard[id(minds[0])] != heard[id(minds[1])]


def test_an_unknown_mind_is_named_with_those_that_there_are() -> None:
    with pytest.raises(UnknownMindError, match=f"no mind 7 for mau_mau; minds: {', '.join(list_minds())}"):
        find_mind("7", load_games()["mau_mau"])

"""Readings and rulesets of a match: chosen when it is opened, kept by its log, and asked by every rule."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.arbitration.replay.replay import find_divergences
from referee.arbitration.replay.what_if import AlternativeRules, find_ruling_differences
from referee.engine.codec import decode, encode, encode_canonical
from referee.engine.events import Move
from referee.engine.game import Game, Setup
from referee.engine.referee import build_view, find_near_misses, judge_candidates, judge_move, seats_that_must_act
from referee.engine.rulebook.interpretations import FIRST_INTERPRETATION
from referee.engine.rulings import MalformedInput
from referee.engine.seats import BYSTANDER, Seat
from referee.eventstore.contract import StoredEntry
from referee.games import load_games
from referee.games.monster_combat.components import design_name
from referee.games.monster_combat.moves import PlayCard
from referee.games.monster_combat.state import FULL_HEARTS
from referee.match.aggregate import Match, MatchOpened, MatchStarted, SeatAssignment
from referee.match.entries import decode_entry, encode_entry
from referee.match.errors import MoveRejected, UnsupportedRuleset
from referee.match.table import commands
from referee.queries import explanations
from referee.repository.matches import decode_snapshot, encode_snapshot
from referee.service.match_service import MatchService
from referee.service.requests import MoveRequest
from tests.arbitration.playing import Referee, disputes, plays
from tests.games.matches import SHORT
from tests.service.house import service

READ_TWICE = {
    "creature_crush": "CC-AMB-15",
    "mau_mau": "MM-AMB-1",
    "monster_combat": "MC-AMB-8",
    "munchkin": "MK-13.8",
    "shy_monsters": "SM-AMB-12",
}


def begun(game: str, key: str = "opening", house: MatchService | None = None, **more: Any) -> tuple[MatchService, str]:
    """A referee with a match that has just begun, opened with these members beside the usual ones."""
    house, box = house or Referee(), load_games()[game]
    seats = 2 if box.max_seats == 2 else 3
    ask = commands.OpenMatch(
        game, box.variants[0], SHORT.get(game, {}), {}, (SeatAssignment("human"),) * min(seats, box.max_seats), **more
    )
    match = house.open_match(ask, key).match.id
    for seat in range(len(ask.chairs)):
        house.execute_command(match, commands.TakeSeat(seat), key=f"{key}-{seat}", scope="join")
    house.execute_command(match, commands.StartMatch(), key=f"{key}-start", scope="host")
    return house, match


def table(house: MatchService, match: str) -> Match:
    return house.load_match(match).match


@pytest.mark.parametrize("game", READ_TWICE)
@pytest.mark.parametrize("number", [1, 2])
def test_a_whole_match_is_played_and_judged_again_by_the_reading_its_host_chose(game: str, number: int) -> None:
    clause = READ_TWICE[game]
    house, match = begun(game, ruleset="1", readings={clause: number})
    found = table(house, match)
    assert found.readings == {clause: number}
    assert found.unusual_interpretations == ({clause: number} if number > FIRST_INTERPRETATION else {})
    assert found.state is not None
    assert found.state.readings == found.unusual_interpretations
    plays(house, match, number, 3000)
    last = table(house, match)
    assert last.state is not None
    assert last.state.readings == found.unusual_interpretations
    assert last.end is not None
    assert build_view(last.state, BYSTANDER).readings == found.unusual_interpretations
    assert list(find_divergences(house.repository.load_entries(match))) == []
    root, again = decode_snapshot(encode_snapshot(b"root", last))
    assert (root, again) == (b"root", last)
    opened = house.repository.load_entries(match)[0].events[0]
    assert isinstance(opened, MatchOpened)
    assert opened.readings == {clause: number}


@pytest.mark.parametrize("game", load_games())
def test_what_is_played_by_first_readings_is_written_as_it_was_before_there_were_others(game: str) -> None:
    house, match = begun(game, ruleset="1")  # later rulesets may choose others
    found = table(house, match)
    written = encode(replace(found, state=None)), encode(found.state)
    assert all("readings" not in data for data in written)
    for entry in house.repository.load_entries(match):
        assert b'"readings"' not in encode_canonical([encode(event) for event in entry.events])
    assert found.ruleset == "1"


def test_a_reading_is_chosen_by_its_number_also_where_a_setting_chooses_it() -> None:
    house, match = begun("here_to_slay", readings={"HTS-AMB-45": 2})
    found = table(house, match)
    assert (found.readings, found.settings["unpayable_play"]) == ({}, "forbid")
    held = found.rules.effective_interpretations(found.ruleset, found.readings, found.settings)
    assert (held["HTS-AMB-45"], held["HTS-AMB-4"]) == (2, 1)


@pytest.mark.parametrize(
    ("more", "pointer"),
    [
        ({"readings": {"SM-AMB-1": 2}}, "/readings/SM-AMB-1"),
        ({"readings": {"SM-AMB-12": 3}}, "/readings/SM-AMB-12"),
        ({"readings": {"SM-AMB-12": 0}}, "/readings/SM-AMB-12"),
        ({"readings": {"a/b~c": 2}}, "/readings/a~1b~0c"),
        ({"ruleset": "0"}, "/ruleset"),
    ],
)
def test_a_reading_or_ruleset_that_there_is_not_opens_nothing(more: dict[str, Any], pointer: str) -> None:
    with pytest.raises(MalformedInput) as wrong:
        begun("shy_monsters", **more)
    assert [error["pointer"] for error in wrong.value.errors] == [pointer]


def test_a_setting_and_a_reading_that_say_otherwise_are_no_agreement() -> None:
    box = load_games()["munchkin"]
    ask = commands.OpenMatch("munchkin", "standard", {"ride_sacrifice": False}, {}, (SeatAssignment("human"),) * 3)
    with pytest.raises(MalformedInput) as wrong:
        commands.decide_opening("m", "", replace(ask, readings={"MK-8.7": 2}), box)
    assert wrong.value.errors[0]["pointer"] == "/readings/MK-8.7"
    (opened,) = commands.decide_opening("m", "", replace(ask, readings={"MK-8.7": 1}), box)
    assert isinstance(opened, MatchOpened)
    assert opened.settings["ride_sacrifice"] is False


def test_before_the_start_the_host_changes_readings_and_the_others_stay() -> None:
    house = Referee()
    match = house.open_match(
        commands.OpenMatch("monster_combat", "V1", {}, {}, (SeatAssignment("bot"),) * 2), "key"
    ).match.id
    for number, ask in enumerate((
        commands.ChangeSettings(readings={"MC-AMB-8": 2}),
        commands.ChangeSettings(readings={"MC-AMB-16": 2}),
        commands.ChangeSettings(settings={"trigger_count": 10}),
    )):  # fmt: skip
        house.execute_command(match, ask, key=f"change-{number}", scope="host")
    found = table(house, match)
    assert found.readings == {"MC-AMB-8": 2}
    assert (found.settings["v2_immunity_until"], found.settings["trigger_count"]) == ("own_next_event_checked", 10)
    house.execute_command(match, commands.ChangeSettings(readings={"MC-AMB-8": 1}), key="back", scope="host")
    assert table(house, match).unusual_interpretations == {}


class Later(type(load_games()["shy_monsters"])):  # type: ignore[misc]
    """The box of a program to come, whose second ruleset reads a clause otherwise."""

    rulesets = {"1": {}, "2": {"SM-AMB-12": 2}}


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Game:
    """That box, in place of today's."""
    box: Game = Later()
    monkeypatch.setitem(load_games(), "shy_monsters", box)
    return box


def test_a_match_keeps_the_ruleset_it_was_opened_by_when_a_newer_one_comes(
    later: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    house, match = begun("shy_monsters")
    assert (table(house, match).ruleset, table(house, match).unusual_interpretations) == ("2", {"SM-AMB-12": 2})
    own, own_match = begun("shy_monsters", readings={"SM-AMB-12": 1})
    assert table(own, own_match).unusual_interpretations == {}
    older, old = begun("shy_monsters", ruleset="1")
    plays(older, old, 3, 60)
    assert table(older, old).unusual_interpretations == {}
    assert list(find_divergences(older.repository.load_entries(old))) == []
    before = older.repository.load_entries(old)[0]
    today = replace(before, move=replace(before.move, ruleset=""))  # type: ignore[type-var]
    assert list(find_divergences([today, *older.repository.load_entries(old)[1:]])) == [], (
        "it was the newest when it was opened"
    )
    monkeypatch.undo()
    with pytest.raises(UnsupportedRuleset, match="ruleset 2 of shy_monsters"):
        service(house.log).load_match(match)


def test_readings_of_a_newer_program_are_told_plainly() -> None:
    house, match = begun("shy_monsters", readings={"SM-AMB-12": 2})
    first = house.repository.load_entries(match)[0]
    opened = first.events[0]
    assert isinstance(opened, MatchOpened)
    newer = replace(first, events=(replace(opened, readings={"SM-AMB-12": 7}),))
    envelope, sealed = encode_entry(table(house, match), newer, lambda *_: b"")
    with pytest.raises(UnsupportedRuleset, match="SM-AMB-12"):
        decode_entry(StoredEntry(1, envelope, sealed, b""))


@pytest.mark.parametrize("game", READ_TWICE)
def test_a_position_says_which_reading_holds_and_is_written_so_again(game: str) -> None:
    box, clause = load_games()[game], READ_TWICE[game]
    for position in box.positions.build_examples(box.variants[0])[:4]:
        state = box.positions.decode_position({**position, "readings": {clause: 2}})
        assert state.readings == {clause: 2}
        written = box.positions.encode_position(state)
        assert written["readings"] == {clause: 2}
        assert box.positions.decode_position(written) == state
        assert decode(box.state_type, encode(state)) == state
        assert "readings" not in box.positions.encode_position(
            box.positions.decode_position({**position, "readings": {clause: 1}})
        )
        assert box.positions.check_census({**position, "readings": {clause: 2}}) == box.positions.check_census(position)
    for wrong in ({clause: 9}, {"X": 1}, [clause]):
        with pytest.raises(MalformedInput) as malformed:
            box.positions.decode_position({**position, "readings": wrong})
        assert malformed.value.errors[0]["pointer"].startswith("/readings")
    assert box.positions.build_schema(box.variants[0])["properties"]["readings"]["properties"][clause]["enum"] == [1, 2]


def test_a_position_names_no_reading_that_a_setting_chooses() -> None:
    box = load_games()["munchkin"]
    with pytest.raises(MalformedInput, match="ride_sacrifice"):
        box.positions.decode_position({**box.positions.build_examples("standard")[0], "readings": {"MK-8.7": 2}})


def useless_life(number: int, house: MatchService | None = None) -> tuple[MatchService, str, Seat]:
    """A match whose player on turn holds a life-back card and lacks no heart."""
    for seed in range(60):
        at, match = begun("monster_combat", f"life-{seed}-{'k' * 22}", house, readings={"MC-AMB-8": number})
        for step in range(12):
            state: Any = table(at, match).state
            for seat in sorted(each for each in seats_that_must_act(state) if each >= 0):
                if state.hearts_of(seat) == FULL_HEARTS and lifeless(at, match, seat) is not None:
                    return at, match, seat
            plays(at, match, 1000 * seed + step, 1)
    raise AssertionError("nobody was dealt one")


def useful_in(house: MatchService) -> tuple[str, int]:
    """A match on this desk in which life was given back to nobody, and the entry that did it."""
    _, match, seat = useless_life(2, house)
    return match, given_to_nobody(house, match, seat)


def lifeless(house: MatchService, match: str, seat: Seat) -> Move | None:
    """The life-back card that a seat may think of playing; None if it has none, or is asked for something else."""
    state: Any = table(house, match).state
    plays = (move for move, _ in judge_candidates(state, seat) if isinstance(move, PlayCard))
    return next((move for move in plays if design_name(move.card) == "life_back"), None)


def given_to_nobody(house: MatchService, match: str, seat: Seat) -> int:
    """The entry by which a seat plays that card."""
    life = lifeless(house, match, seat)
    assert life is not None
    return house.make_move(MoveRequest(match, seat, life, key="life", actor="player")).entry


def test_near_misses_moves_explanations_and_disputes_go_by_the_reading_of_the_match() -> None:
    for number, cites in ((1, "MC-AMB-8"), (2, "MC-AMB-8-R2")):
        house, match, seat = useless_life(number)
        state: Any = table(house, match).state
        life = lifeless(house, match, seat)
        assert life is not None
        ruling = judge_move(state, seat, life)
        assert ruling.granted is (number == 2)
        missed = {move: against.clauses for move, against in find_near_misses(state, seat)}
        assert (life in missed) is (number == 1)
        about = [clauses for move, clauses in missed.items() if "MC-SHIELD-1" in clauses or move == life]
        assert all(cites in clauses for clauses in about)
        if number == 1:
            with pytest.raises(MoveRejected):
                house.make_move(MoveRequest(match, seat, life, "refused"))
            found = disputes(
                house, match, house.load_match(match).version, "wrong_refusal", str(int(seat)), move=encode(life)
            )
            assert (found.verdicts[0].verdict, cites in found.verdicts[0].clauses) == ("stands", True)
        else:
            at = given_to_nobody(house, match, seat)
            assert explanations.explain_entry(house, match, int(seat), at)["clauses"]
            found = disputes(house, match, at, "illegal_move", str((int(seat) + 1) % 3))
            assert found.verdicts[0].verdict == "stands"


def test_a_log_is_judged_by_other_readings_and_the_clause_is_named_that_is_why() -> None:
    house, match, seat = useless_life(2)
    at = given_to_nobody(house, match, seat)
    plays(house, match, 5, 40)
    entries = house.repository.load_entries(match)
    judged = list(find_ruling_differences(entries, AlternativeRules(readings={"MC-AMB-8": 1})))
    assert len(judged) == len(entries)
    wrong = {logged.version: found for logged, found in judged if found is not None}
    assert at in wrong, "the rest goes on upon the table as it was recorded"
    assert (wrong[at].divergence.kind, wrong[at].clauses) == ("illegal", ("MC-AMB-8",))
    assert wrong[at].divergence.ruling.clauses[-1] == "MC-AMB-8"
    assert {found.clauses for found in wrong.values()} == {("MC-AMB-8",)}
    assert not [found for _, found in find_ruling_differences(entries, AlternativeRules()) if found], (
        "as it was played all is right"
    )


@pytest.mark.parametrize("game", READ_TWICE)
def test_what_no_reading_touches_is_ruled_the_same_by_another(game: str) -> None:
    house, match = begun(game)
    plays(house, match, 2, 25)
    entries = house.repository.load_entries(match)
    other = [
        found
        for _, found in find_ruling_differences(entries, AlternativeRules(readings={READ_TWICE[game]: 2}))
        if found
    ]
    assert {found.clauses for found in other} <= {(READ_TWICE[game],)}
    assert not [found for found in other if any(isinstance(event, MatchStarted) for event in found.entry.events)]


def test_a_setting_is_read_otherwise_too_and_what_the_host_chose_stays() -> None:
    house, match = begun("here_to_slay", readings={"HTS-AMB-71": 1})
    plays(house, match, 4, 30)
    entries = house.repository.load_entries(match)
    found = [each for _, each in find_ruling_differences(entries, AlternativeRules(readings={"HTS-AMB-71": 2})) if each]
    assert found
    assert {each.clauses for each in found} == {("HTS-AMB-71",)}
    chosen, its = begun("shy_monsters", readings={"SM-AMB-12": 2})
    assert AlternativeRules().find_changed_readings(table(chosen, its)) == {}
    assert AlternativeRules(readings={"SM-AMB-12": 1}).find_changed_readings(table(chosen, its)) == {"SM-AMB-12": 1}


def test_a_newer_ruleset_reads_matches_of_an_older_one_otherwise(later: Game) -> None:
    house, match = begun("shy_monsters", ruleset="1")
    assert AlternativeRules().find_changed_readings(table(house, match)) == {"SM-AMB-12": 2}
    assert AlternativeRules("1").find_changed_readings(table(house, match)) == {}
    assert later.find_departures("2", {}) == {"SM-AMB-12": 2}


@pytest.mark.parametrize("name", load_games())
def test_the_first_ruleset_reads_every_clause_as_the_first_release_did(name: str) -> None:
    box = load_games()[name]
    assert box.rulesets["1"] == {}, "a change is another ruleset"
    assert list(box.rulesets) == [str(number) for number in range(1, len(box.rulesets) + 1)]
    for chosen in box.rulesets.values():
        assert box.find_interpretation_errors(chosen) == []
    setup = box.complete_setup(Setup(box.variants[0], box.min_seats, ruleset="1"))
    assert set(box.effective_interpretations("1", {}, setup.settings).values()) <= {FIRST_INTERPRETATION}

"""After an end the secret of chance is open; where play goes back behind that end, another one takes its place."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from referee.arbitration.remedies.ladder import list_remedies
from referee.arbitration.remedies.rewind_impact import compute_rewind_impact, find_hidden_piles
from referee.arbitration.replay.replay import find_first_divergence
from referee.engine.chance import RollResult, ShuffleResult
from referee.engine.codec import encode
from referee.engine.game import Setup
from referee.engine.rulings import IllegalMove
from referee.engine.seats import CHANCE
from referee.games import load_games
from referee.infrastructure.integrity_check import check_match
from referee.match.aggregate import Match
from referee.match.entries import LogEntry, compute_commitment
from referee.match.events.dispute_commands import IssueRuling, OpenDispute
from referee.match.events.report_events import CorrectReport
from referee.match.events.takeback_events import RequestTakeback
from referee.match.table.rekey import SecretRenewed, find_secret_renewal
from referee.repository.matches import decode_snapshot, encode_snapshot
from referee.transparency.randomness import ServerRandomSource
from tests.arbitration import playing
from tests.arbitration.playing import Referee, evidence, plays
from tests.service.house import end_agreed_by_all

KEY = bytes(range(32))


def running(game: str = "monster_combat", moves: int = 8, **chance: str) -> tuple[Referee, str]:
    """A match of two under way, whose draws and salts are the server's own."""
    house, box = Referee(), load_games()[game]
    house.appender.draws = ServerRandomSource(KEY)
    house.appender._salt = house.appender.draws.salt
    devices = dict.fromkeys(box.devices, "server") | chance
    match = playing.opened(house, game, box.complete_setup(Setup(box.variants[0], 2, {}, devices)))
    plays(house, match, 3, moves)
    return house, match


def ends(house: Referee, match: str, key: str = "end") -> int:
    """The table agrees that the match is over; the entry that says so."""
    return house.execute_command(match, end_agreed_by_all("agreed", ((0,), (1,))), key=key, scope="host").entry


def goes_back(house: Referee, match: str, about: int, claim: str = "other", remedy: str = "rewind") -> LogEntry:
    """An entry is disputed, and an arbiter orders a remedy; the entry that carries it out."""
    number = house.execute_command(match, OpenDispute("0", about, claim), key=f"d{about}", scope="seat0").entry
    rule = IssueRuling(number, "host", (), True, remedy, ("TABLE-REMEDY-1",), "so it is")
    done = house.execute_command(match, rule, key=f"r{number}", scope="arbiter")
    return house.repository.load_entries(match)[done.entry - 1]


def salted(house: Referee, match: str, version: int) -> int:
    """The generation of the secret that an entry's commitments are salted with."""
    stored = house.log.read_entries(match, version - 1, 1)[0]
    committed = json.loads(stored.envelope)["commitments"]["full"]
    fits = [
        n
        for n in range(4)
        if compute_commitment(ServerRandomSource(KEY).salt(match, n, version, "full"), stored.sealed) == committed
    ]
    (generation,) = fits
    return generation


@pytest.mark.clause("TABLE-CHANCE-1")
def test_the_entry_that_goes_back_behind_an_end_commits_to_a_new_secret_and_is_salted_with_it() -> None:
    house, match = running()
    end = ends(house, match)
    assert house.load_match(match).match.generation == 0
    dispute = goes_back(house, match, end)
    event = dispute.events[-1]
    assert event == SecretRenewed(1, ServerRandomSource(KEY).commitment(match, 1))
    assert "TABLE-CHANCE-1" in dispute.clauses
    now = house.load_match(match).match
    assert (now.status, now.generation) == ("running", 1)
    assert now.commitment == ServerRandomSource(KEY).commitment(match), "what the match opened with stays"
    assert [salted(house, match, version) for version in (1, end, dispute.version - 1)] == [0, 0, 0]
    assert salted(house, match, dispute.version) == 1
    plays(house, match, 4, 3)
    assert salted(house, match, house.load_match(match).version) == 1
    assert len({ServerRandomSource(KEY).secret(match, n) for n in range(5)}) == 5


def test_every_draw_after_that_comes_from_the_new_secret() -> None:
    house, match = running()
    back = goes_back(house, match, ends(house, match))
    drawn = [
        entry for entry in house.repository.load_entries(match, back.version) if isinstance(entry.move, ShuffleResult)
    ]
    assert drawn, "the piles that everybody could look at are shuffled again"
    for entry in drawn:
        before = house.load_version(match, entry.version - 1).match
        top = before.state.agenda[-1]
        for generation in range(3):
            below = ServerRandomSource(KEY).source(match, generation, before.draws + 1, top.question_name(), scheme=2)
            assert (top.draw_outcome(before.state, below) == entry.move) == (generation == 1)


def test_each_end_that_play_goes_back_behind_has_a_secret_of_its_own() -> None:
    house, match = running()
    for generation in (1, 2, 3):
        back = goes_back(house, match, ends(house, match, f"end{generation}"))
        assert find_secret_renewal(back.events) == SecretRenewed(
            generation, ServerRandomSource(KEY).commitment(match, generation)
        )
        assert salted(house, match, back.version) == generation
    told = house.load_match(match).match.renewals
    assert told == tuple(ServerRandomSource(KEY).commitment(match, n) for n in (1, 2, 3))
    assert find_first_divergence(house.repository.load_entries(match)) is None
    assert check_match(house.log, match, ServerRandomSource(KEY).salt) is None
    fresh = Referee()
    fresh.log = fresh.repository.log = fresh.appender._log = house.log
    assert fresh.load_match(match).match == house.load_match(match).match
    root, kept = decode_snapshot(encode_snapshot(b"r", house.load_match(match).match))
    assert (root, kept) == (b"r", house.load_match(match).match)


def test_what_goes_back_within_play_or_after_it_renews_nothing() -> None:
    house, match = running()
    last = next(entry for entry in reversed(house.repository.load_entries(match)) if entry.seat >= 0)
    house.execute_command(match, RequestTakeback(last.seat, last.version - 1), key="t", scope=f"seat{last.seat}")
    last = next(
        entry for entry in reversed(house.repository.load_entries(match)) if entry.seat >= 0 and entry.version <= 8
    )
    assert find_secret_renewal(goes_back(house, match, last.version).events) is None
    end = ends(house, match)
    number = house.execute_command(match, OpenDispute("0", end, "other"), key="d", scope="seat0").entry
    fix = ({"placement": [[1], [0]]},)
    rule = IssueRuling(number, "host", (), True, "partial_fix", ("TABLE-REMEDY-2",), "other way round", fix=fix)
    house.execute_command(match, rule, key="r", scope="arbiter")
    assert house.load_match(match).match.status == "finished"
    assert house.load_match(match).match.generation == 0
    assert not [entry for entry in house.repository.load_entries(match) if find_secret_renewal(entry.events)]


def wrong(entries: list[LogEntry], at: int, events: Callable[[tuple[Any, ...]], tuple[Any, ...]]) -> int | None:
    """The first entry that diverges once the facts of one were changed."""
    changed = [replace(each, events=events(each.events)) if each.version == at else each for each in entries]
    found = find_first_divergence(changed)
    return None if found is None else found.version


def test_judging_again_finds_a_new_secret_that_is_missing_out_of_place_or_miscounted() -> None:
    house, match = running()
    back = goes_back(house, match, ends(house, match)).version
    plays(house, match, 4, 3)
    entries, more = house.repository.load_entries(match), SecretRenewed(2, "0" * 64)
    assert wrong(entries, back, lambda events: events) is None
    assert wrong(entries, back, lambda events: events[:-1]) == back
    assert wrong(entries, back, lambda events: (*events, more)) == back
    assert wrong(entries, back, lambda events: (events[-1], *events[:-1])) == back
    assert wrong(entries, back, lambda events: (*events[:-1], replace(events[-1], generation=2))) == back
    for other in (1, 3, back - 2, back - 1, back + 1, back + 2):
        assert wrong(entries, other, lambda events: (*events, more)) == other


@pytest.mark.clause("TABLE-CHANCE-1", "TABLE-REMEDY-3")
def test_piles_that_were_open_to_all_at_the_end_are_shuffled_whichever_remedy_goes_back() -> None:
    house, match = running("monster_combat", 2000)
    over = house.load_match(match).match
    assert over.status == "finished"
    last = next(entry for entry in reversed(house.repository.load_entries(match)) if entry.seat >= 0)
    number = house.execute_command(match, OpenDispute("0", last.version, "illegal_move"), key="d", scope="seat0").entry
    court = evidence(house, match)
    rung = next(each for each in list_remedies(court, court.match.disputes[-1]) if each.name == "partial_fix")
    assert rung.why != "remedy.no_correction", "the last move is simply left out"
    rule = IssueRuling(number, "host", (), True, "partial_fix", ("TABLE-REMEDY-1",), "it was not legal")
    try:
        done = house.execute_command(match, rule, key="r", scope="arbiter")
    except IllegalMove:
        pytest.fail(f"nothing could be left out: {rung}")
    after = house.load_match(match).match
    assert (after.status, after.generation) == ("running", 1)
    before = house.load_version(match, done.entry).match
    shuffled = [
        each.move for each in house.repository.load_entries(match, done.entry) if isinstance(each.move, ShuffleResult)
    ]
    known = [pile for pile in find_hidden_piles(before) if len(before.state.cards_at(pile)) > 1]
    assert len(shuffled) == len(known) > 0
    assert [after.state.cards_at(pile) for pile in known] != [before.state.cards_at(pile) for pile in known]
    assert find_first_divergence(house.repository.load_entries(match)) is None


def test_going_back_further_later_shuffles_again_what_the_end_has_shown() -> None:
    """The table lies then as it was disclosed, before it was shuffled for that."""
    house, match = running(moves=12)
    moves = [entry.version for entry in house.repository.load_entries(match) if entry.seat >= 0]
    goes_back(house, match, ends(house, match))
    found = compute_rewind_impact(evidence(house, match), moves[3], None)
    assert "revealed" in found.rules
    assert set(find_hidden_piles(evidence(house, match).replay_to(moves[3]))) <= set(found.piles)
    assert house.load_match(match).match.end is None
    fewer = compute_rewind_impact(evidence(house, match), house.load_match(match).version, None)
    assert fewer.piles == (), "after the shuffle nothing of it is known any more"


def test_the_shuffle_that_a_takeback_called_for_is_made_again_where_it_is_undone() -> None:
    house, match = running(moves=40)
    entries = house.repository.load_entries(match)
    for entry in entries:
        if entry.seat >= 0 and (first := compute_rewind_impact(evidence(house, match), entry.version - 1, None)).piles:
            break
    number = house.execute_command(match, OpenDispute("0", entry.version, "other"), key="d", scope="seat0").entry
    rule = IssueRuling(number, "host", (), True, "rewind", ("TABLE-REMEDY-1",), "so it is")
    house.execute_command(match, rule, key="r", scope="arbiter")
    again = compute_rewind_impact(evidence(house, match), entry.version - 2, None)
    assert set(first.piles) <= set(again.piles)
    assert "revealed" in again.rules


@pytest.mark.parametrize(("deck", "reopens"), [("table", True), ("server", False)])
def test_a_report_corrected_after_the_end_reopens_only_where_no_pile_was_shown(deck: str, reopens: bool) -> None:
    house, match = running("here_to_slay", 0, dice="table", deck=deck)
    over, roll = played_out(house, match)
    assert over.status == "finished"
    low = RollResult((1,) * len(roll.move.values))  # type: ignore[union-attr]
    ask = CorrectReport(roll.version, (0, 1), True, encode(low))
    if not reopens:
        with pytest.raises(IllegalMove) as caught:
            house.execute_command(match, ask, key="c", scope="host")
        assert caught.value.ruling.reason == "court.all_shown"
        return
    done = house.execute_command(match, ask, key="c", scope="host")
    entry = house.repository.load_entries(match)[done.entry - 1]
    assert (entry.seat, entry.move) == (CHANCE, low)
    assert entry.events[-1] == SecretRenewed(1, ServerRandomSource(KEY).commitment(match, 1))
    assert salted(house, match, entry.version) == 1
    assert find_first_divergence(house.repository.load_entries(match)) is None
    assert wrong(house.repository.load_entries(match), entry.version, lambda events: events[:-1]) == entry.version


def played_out(house: Referee, match: str) -> tuple[Match, LogEntry]:
    """The match at its end, and the last roll that was reported, after which only a few seats have passed."""
    for seed in range(40):
        plays(house, match, seed, 2000)
        now = house.load_match(match).match
        if now.end is not None:
            break
    return now, next(
        entry for entry in reversed(house.repository.load_entries(match)) if isinstance(entry.move, RollResult)
    )

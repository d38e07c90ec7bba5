"""Writers of a tournament, and its store, are killed in the middle of rounds: nothing acknowledged is lost or doubled.

Two writers play the same evening under the same keys, as apps do that repeat a request. Each notes what was
acknowledged. Who is killed is followed by another who goes on from the log alone.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from referee.audit.bundles.export import PUBLIC, SEALED, collect_bundle_metadata
from referee.audit.bundles.format import decode_bundle, encode_bundle
from referee.audit.checks.verifier import check_bundle
from referee.audit.tournaments.export import build_tournament_bundle_lines
from referee.engine.events import Move
from referee.engine.rulings import IllegalMove
from referee.games import load_games
from referee.infrastructure.composition import build_match_service, build_publisher, recover_after_start
from referee.infrastructure.embedded.servers import EmbeddedServers
from referee.infrastructure.integrity_check import freeze_damaged_matches
from referee.infrastructure.settings import Settings
from referee.match.errors import VersionConflict
from referee.service.tournament_service import TournamentService
from referee.tournament import commands
from referee.tournament.deciding.opening import complete_format
from referee.tournament.state import Tournament
from tests.eventstore.servers import NO_SERVER, binaries
from tests.faults.shim import short_folder
from tests.tournament.evening import with_format

pytestmark = [
    pytest.mark.crash,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the store is killed by its process id"),
    pytest.mark.skipif(not binaries(), reason=NO_SERVER),
]
SEED = int(os.environ.get("FAULTS_SEED", "20"))
PLAYERS, HEAD = 10, 1
LEAST_KILLS, LEAST_STORE_KILLS, MOST_LIVES = 10, 2, 100
MOST_NOTES = 12  # of a writer; then it waits to be killed: no machine is fast enough to end the evening unharmed
MOST_SECONDS = 3.0  # for a writer to note something: the evening may be over, or the store gone
FORMAT = with_format(system="round_robin", sign_ms=3_600_000)
Named = tuple[str, Move, str]  # key, command, actor


def list_next(state: Tournament) -> Iterator[Named]:
    """Yield what comes next in the evening; nothing once it is over."""
    if state.status == "registration":
        missing = range(len(state.entrants), PLAYERS)
        yield from ((f"enter:{each}", commands.Enter(f"person {each}"), f"player:{each}") for each in missing)
        yield "start", commands.StartTournament(), "host"
        return
    one = state.current_round
    if one is None or one.closed:
        if len(state.rounds) < state.planned:
            yield f"pair:{len(state.rounds) + 1}", commands.PairRound(), "host"
        elif not state.is_over:
            yield "end", commands.EndTournament(), "host"
        return
    for table in one.tables:
        place, (first, second) = f"{one.number}:{table.number}", table.players
        if table.number == 1:
            late = commands.Penalize(first, "late", "warning", HEAD, because="in the test")
            yield f"late:{place}", late, f"official:{HEAD}"
        if table.result is None:
            order = ((first,), (second,))
            yield f"report:{place}", commands.ReportResult(one.number, table.number, order, first), f"player:{first}"
        if not table.final:
            signed = commands.AnswerResult(one.number, table.number, second, True)
            yield f"sign:{place}", signed, f"player:{second}"


def play(settings: Settings, notes: Path) -> None:
    """Play on from the log, and note each acknowledgement as soon as it is there."""
    at = TournamentService(build_match_service(settings))
    left = MOST_NOTES
    with notes.open("a", encoding="ascii") as file:

        def note(key: str, entry: int, receipt: str) -> None:
            nonlocal left
            file.write(json.dumps([key, entry, receipt]) + "\n")
            file.flush()
            left -= 1
            while not left:
                signal.pause()

        done = at.open(commands.OpenTournament(FORMAT, "h"), "evening")
        note("open", done.entry, done.receipt)
        name = done.after.state.id
        while not (state := at.load(name).state).is_over:
            for key, command, actor in list_next(state):
                try:
                    done = at.execute(name, command, key=key, scope="test", actor=actor)
                except (IllegalMove, VersionConflict):  # the other writer was faster: look again
                    break
                if done.entry:
                    note(key, done.entry, done.receipt)


def fork_writer(settings: Settings, notes: Path) -> int:
    """Start a writer in a process of its own; return its id."""
    pid = os.fork()
    if pid == 0:
        try:
            play(settings, notes)
        finally:
            os._exit(0)
    return pid


def await_notes(folder: Path, life: int, more: int) -> None:
    """Wait until the writers of a life have noted some more, however busy the machine is."""

    def count() -> int:
        return sum(path.read_bytes().count(b"\n") for path in folder.glob(f"notes-{life}-*"))

    wanted, until = count() + more, time.monotonic() + MOST_SECONDS
    while count() < wanted and time.monotonic() < until:
        time.sleep(0.002)


def read_notes(folder: Path) -> list[tuple[str, int, str]]:
    """Return everything that was acknowledged; what a kill cut off was not."""
    lines = [line for path in folder.glob("notes-*") for line in path.read_text("ascii").splitlines(keepends=True)]
    return [tuple(json.loads(line)) for line in lines if line.endswith("\n")]


def test_a_killed_writer_and_a_killed_store_lose_and_double_nothing_of_a_tournament(tmp_path: Path) -> None:
    load_games()
    complete_format(FORMAT)
    dice, folder = random.Random(SEED), short_folder()
    plain = Settings(folder, folder, folder, folder).with_data_dir(folder / "data")
    kills = store_kills = lives = 0
    name = ""
    while True:
        lives += 1
        assert lives <= MOST_LIVES, "the evening does not get on"
        with EmbeddedServers(plain.data_dir, store=True, queue=False) as keeper:
            settings = replace(plain, store_url=keeper.store_url)
            assert recover_after_start(settings) == []
            at = TournamentService(build_match_service(settings))
            name = name or at.name_tournament("evening")
            if lives > 1 and at.log.read(name, limit=0).head is not None and at.load(name).state.is_over:
                break
            last = dice.randrange(3)
            for turn in range(3):
                pids = [fork_writer(settings, tmp_path / f"notes-{lives}-{number}") for number in range(2)]
                await_notes(tmp_path, lives, dice.randrange(1, 6))
                time.sleep(dice.uniform(0.0, 0.02))
                if turn == last:
                    keeper.servers["store"].kill()
                    store_kills += 1
                for pid in pids:
                    os.kill(pid, signal.SIGKILL)
                    kills += os.WIFSIGNALED(os.waitpid(pid, 0)[1])
                if keeper.servers["store"].process.poll() is not None:
                    break
    with EmbeddedServers(plain.data_dir, store=True, queue=False) as keeper:
        judge(replace(plain, store_url=keeper.store_url), name, read_notes(tmp_path))
    assert kills >= LEAST_KILLS, f"{kills} writers were killed in {lives} lives, and the store {store_kills} times"
    assert store_kills >= LEAST_STORE_KILLS


def judge(settings: Settings, name: str, notes: list[tuple[str, int, str]]) -> None:
    """Everything acknowledged is in the log once, its receipts fit, and the evening was played by the rules."""
    matches = build_match_service(settings)
    at = TournamentService(matches)
    state = at.load(name).state
    assert (state.status, len(state.rounds), len(state.entrants)) == ("finished", PLAYERS - 1, PLAYERS)
    assert freeze_damaged_matches(at.log, matches.appender.draws.salt) == []
    by_key: dict[str, tuple[int, str]] = {}
    for key, entry, receipt in notes:
        assert by_key.setdefault(key, (entry, receipt)) == (entry, receipt), "one request, one answer"
    entries = [entry for entry, _ in by_key.values()]
    assert len(set(entries)) == len(entries)
    stored = at.log.read_entries(name, 0, 10_000)
    assert {*entries} <= {each.version for each in stored}
    wanted = 1 + PLAYERS + 1 + (PLAYERS - 1) * (1 + 1 + 2 * PLAYERS // 2) + 1
    assert len(stored) == wanted, "each step was written once"
    metadata = collect_bundle_metadata(build_publisher(settings, at.log))
    for viewer in (PUBLIC, SEALED):
        bundle = decode_bundle(encode_bundle(build_tournament_bundle_lines(at, name, viewer, metadata)))
        receipts = [receipt for _, receipt in by_key.values()]
        report = check_bundle(bundle, [line.public for line in metadata.keys], receipts, is_latest=True)
        assert report.findings == ()
        assert report.receipted >= max(entries)

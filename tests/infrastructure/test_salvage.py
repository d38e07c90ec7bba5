"""A damaged store is recovered match by match: what is whole goes on, and what is not is named and frozen."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from referee.eventstore.contract import StoredEntry
from referee.eventstore.redis.log import RedisLog
from referee.infrastructure.archives.backup import BackupFolderError
from referee.infrastructure.clients import UNAVAILABLE_ERRORS, build_client
from referee.infrastructure.embedded.servers import EmbeddedServers
from referee.infrastructure.errors import AlreadyServedError, HostError
from referee.infrastructure.integrity_check import check_match_log
from referee.infrastructure.keyring import load_signer
from referee.infrastructure.salvage import salvage as salvaging
from referee.infrastructure.salvage.aof_commands import EXEC_COMMAND, iterate_transactions
from referee.infrastructure.salvage.rdb_records import Lost, RdbReader, Record
from referee.infrastructure.salvage.rebuilding import _build_head
from referee.infrastructure.salvage.salvage import ASIDE, REPORT, SalvageResult, salvage
from referee.infrastructure.secrets import load_server_secret
from referee.infrastructure.settings import Settings
from referee.infrastructure.watermarks.guard import SignedHistory
from referee.infrastructure.watermarks.mark_file import Mark
from referee.service.requests import MoveRequest
from referee.service.tournament_service import TournamentService
from referee.tournament import commands
from referee.tournament.state import is_tournament_id
from tests.engine.toy import GAME, Cheer
from tests.eventstore.servers import NO_SERVER, binaries
from tests.infrastructure.machine import eventually
from tests.infrastructure.test_integrity_check import SALT, played
from tests.service.house import FixedDraws, service
from tests.service.test_tournaments import enter, open_tournament, run

FOUND = binaries()
ROUNDS = int(os.environ.get("REFEREE_SALVAGE_ROUNDS", "12"))  # bytes that are damaged, others in each run
pytestmark = [pytest.mark.deep, pytest.mark.skipif(not FOUND, reason=NO_SERVER)]
Entries = dict[str, tuple[StoredEntry, ...]]


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("referee.games", "referee.service.match_service", "referee.match.aggregate"):
        monkeypatch.setattr(f"{module}.load_games", lambda: {"toy": GAME})
    monkeypatch.setattr(salvaging, "build_random_source", lambda _: FixedDraws())


class House:
    """A data directory whose store was killed: matches and tournaments in its base, later entries in its increment."""

    def __init__(self, folder: Path, server: Path) -> None:
        self.settings = replace(Settings(folder, folder, folder, folder).with_data_dir(folder), store_server=server)
        self.entries: Entries = {}
        with EmbeddedServers(folder, queue=False, server=server) as keeper:
            load_server_secret(self.settings.secret_file)
            load_signer(self.settings.signing_key_file)
            log = RedisLog(build_client(str(keeper.store_url)), UNAVAILABLE_ERRORS)
            matches = [played(log, f"key-{number}") for number in range(6)]
            at = TournamentService(service(log))
            tournaments = [open_tournament(at, 3, key=f"key-{number}") for number in range(2)]
            log.client.hset("{p07}:player:ada", "name", "Ada")
            log.client.bgrewriteaof()
            eventually(lambda: log.client.info("persistence")["aof_rewrite_in_progress"] == 0)
            for number in range(3):
                for match in matches[:3]:
                    service(log).make_move(MoveRequest(match, 1, Cheer(), key=f"later-{number}"))
            matches += [played(log, f"late-{number}") for number in range(2)]
            enter(at, tournaments[0], 7)
            run(at, tournaments[1], commands.EndTournament(), "end")
            tournaments.append(open_tournament(at, 1, key="late"))
            self.entries = {name: log.read_entries(name) for name in (*matches, *tournaments)}
            keeper.servers["store"].kill()

    def copy(self, folder: Path) -> Settings:
        """Copies it, and returns the settings of the copy."""
        shutil.copytree(self.settings.data_dir, folder, ignore=shutil.ignore_patterns("run"))
        return self.settings.with_data_dir(folder)


@pytest.fixture(scope="module", params=FOUND)
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> House:
    with pytest.MonkeyPatch.context() as patch:
        for module in ("referee.games", "referee.service.match_service", "referee.match.aggregate"):
            patch.setattr(f"{module}.load_games", lambda: {"toy": GAME})
        return House(tmp_path_factory.mktemp("house") / "data", FOUND[request.param])


def files(folder: Path, kind: str) -> Path:
    (found,) = (folder / "store" / "appendonlydir").glob(f"*.{kind}.*")
    return found


def damage(path: Path, at: int, by: int = 0xFF) -> None:
    written = bytearray(path.read_bytes())
    written[at] ^= by
    path.write_bytes(written)


def go_on(log: RedisLog, name: str) -> None:
    """Add an entry to a match, or to a tournament unless that is over."""
    if not is_tournament_id(name):
        service(log).make_move(MoveRequest(name, 1, Cheer(), key="after"))
        return
    at = TournamentService(service(log))
    if at.load(name).state.is_over:
        assert at.load(name).head.status == "over"
    else:
        enter(at, name, 9)


def judge(house: House, settings: Settings, result: SalvageResult, folder: Path) -> None:
    """Nothing is invented, nothing is lost in silence, and what counts as sound can be played on."""
    lost = {loss.match: loss for loss in result.lost}
    with EmbeddedServers(folder, queue=False, server=settings.store_server) as keeper:
        log = RedisLog(build_client(str(keeper.store_url)), UNAVAILABLE_ERRORS)
        for match, entries in house.entries.items():
            found, head = log.read_entries(match), log.read(match, limit=0).head
            assert found == entries[: len(found)], match
            if match not in lost:
                assert found == entries, match
                assert check_match_log(log, match, SALT) is None
                go_on(log, match)
            else:
                assert len(found) == lost[match].sound
                assert head is None or head.status == "frozen"
                named = {*lost[match].missing, *lost[match].unsound}
                assert named >= {entry.version for entry in entries[len(found) :]} or not result.is_whole


def test_of_a_sound_store_everything_comes_over(house, tmp_path):
    settings = house.copy(tmp_path / "copy")
    result = salvage(settings, tmp_path / "new")
    assert result.is_whole, result
    assert result.sound == len(house.entries)
    judge(house, settings, result, tmp_path / "new")
    assert (tmp_path / "new" / "secret").read_bytes() == (tmp_path / "copy" / "secret").read_bytes()
    assert not list(tmp_path.glob(".*.salvage"))


@pytest.mark.parametrize("kind", ["base", "incr"])
def test_a_damaged_byte_anywhere_loses_only_what_is_named(house, tmp_path, kind):
    size = files(house.settings.data_dir, kind).stat().st_size
    seed = random.randrange(10**6)
    drawn = random.Random(seed)
    for number in range(ROUNDS):
        settings, at, by = house.copy(tmp_path / f"copy-{number}"), drawn.randrange(size), drawn.randrange(1, 256)
        damage(files(settings.data_dir, kind), at, by)
        try:
            result = salvage(settings, tmp_path / f"new-{number}")
            judge(house, settings, result, tmp_path / f"new-{number}")
        except Exception as wrong:
            raise AssertionError(f"seed {seed}, round {number}: byte {at} of the {kind} by {by}") from wrong
        assert len(result.lost) <= 2, f"seed {seed}, round {number}: one byte took {len(result.lost)} matches"
        shutil.rmtree(tmp_path / f"new-{number}")


def test_a_lost_commit_is_named_with_its_match_and_version(house, tmp_path):
    settings = house.copy(tmp_path / "copy")
    match = next(iter(house.entries))
    path = files(settings.data_dir, "incr")
    written = path.read_bytes()
    name = f"m:{match}:log\r\n".encode()
    damage(path, written.index(b"$", written.index(name) + len(name)))  # the length of the next entry's id
    result = salvage(settings, tmp_path / "new")
    (loss,) = result.lost
    assert loss.match == match
    last = len(house.entries[match])
    assert (loss.sound, loss.missing, loss.unsound) == (last - 3, (last - 2,), (last - 1, last))
    assert f"missing: {last - 2}" in str(loss)
    assert len((tmp_path / "new" / ASIDE).read_text().splitlines()) == 2
    assert (tmp_path / "new" / REPORT).exists()
    judge(house, settings, result, tmp_path / "new")


def test_a_start_on_a_damaged_store_says_that_there_is_salvage(house, tmp_path):
    settings = house.copy(tmp_path / "copy")
    path = files(settings.data_dir, "base")
    damage(path, path.stat().st_size - 4)  # in its checksum
    with pytest.raises(HostError, match="referee salvage DIR"):
        EmbeddedServers(settings.data_dir, queue=False, server=settings.store_server).start()
    assert salvage(settings, tmp_path / "new").sound == len(house.entries)


MANIFEST = "appendonlydir/appendonly.aof.manifest"


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        (lambda path: path.unlink(), "missing"),
        (lambda path: path.write_bytes(b""), "damaged"),
        (lambda path: path.write_bytes(path.read_bytes().split(b"\n")[0] + b"\n"), "does not name"),
        (lambda path: path.write_bytes(b"?" + path.read_bytes()[1:]), "damaged"),
    ],
    ids=["gone", "empty", "cut", "changed"],
)
def test_a_damaged_manifest_hides_no_file(house, tmp_path, harm, says):
    settings = house.copy(tmp_path / "copy")
    harm(settings.data_dir / "store" / MANIFEST)
    before = sorted(path.name for path in (settings.data_dir / "store").rglob("*"))
    with pytest.raises(HostError, match=f"(?s){says}.*referee salvage DIR"):
        EmbeddedServers(settings.data_dir, queue=False, server=settings.store_server).start()
    assert sorted(path.name for path in (settings.data_dir / "store").rglob("*")) == before, "a start replaces nothing"
    result = salvage(settings, tmp_path / "new")
    assert any(says in misfit for misfit in result.misfits)
    assert not result.is_whole
    assert result.sound == len(house.entries)
    judge(house, settings, result, tmp_path / "new")


def test_a_missing_file_is_named_and_the_marks_tell_what_it_held(house, tmp_path):
    settings = house.copy(tmp_path / "copy")
    match, late = next(iter(house.entries)), list(house.entries)[-1]
    history = SignedHistory(settings.watermarks_path)
    for each in (match, late):
        assert history.marks.replace(each, None, Mark(len(house.entries[each]), house.entries[each][-1].root))
    assert salvage(settings, tmp_path / "sound").is_whole
    files(settings.data_dir, "incr").unlink()
    result = salvage(settings, tmp_path / "new")
    assert [misfit for misfit in result.misfits if "incr" in misfit]
    lost = {loss.match: loss for loss in result.lost}
    last = len(house.entries[match])
    assert lost[match].missing == (last - 2, last - 1, last)
    assert lost[late].missing == tuple(range(1, len(house.entries[late]) + 1))
    with EmbeddedServers(tmp_path / "new", queue=False, server=settings.store_server) as keeper:
        log = RedisLog(build_client(str(keeper.store_url)), UNAVAILABLE_ERRORS)
        head = log.read(match, limit=0).head
        assert head is not None
        assert (head.status, head.version) == ("frozen", last - 3)


def test_damaged_marks_are_said_and_come_over_as_they_are(house, tmp_path):
    settings = house.copy(tmp_path / "copy")
    settings.watermarks_path.mkdir()
    (settings.watermarks_path / "base").write_bytes(b"no marks")
    result = salvage(settings, tmp_path / "new")
    assert [misfit for misfit in result.misfits if "marks" in misfit]
    assert (tmp_path / "new" / "watermarks" / "base").read_bytes() == b"no marks"


def test_a_key_that_is_no_key_of_referee_is_dropped_and_named(house, tmp_path):
    settings = house.copy(tmp_path / "copy")
    path = files(settings.data_dir, "incr")
    with path.open("ab") as file:
        file.write(command("SET", "{pL7}:answer", "1"))
    assert salvage(settings, tmp_path / "new").keys == ("{pL7}:answer",)


def test_files_of_the_archive_are_looked_at_too(house, tmp_path):
    settings = house.copy(tmp_path / "copy")
    match = next(iter(house.entries))
    with EmbeddedServers(settings.data_dir, queue=False, server=settings.store_server) as keeper:
        log = RedisLog(build_client(str(keeper.store_url)), UNAVAILABLE_ERRORS)
        head = log.read(match, limit=0).head
        assert head is not None
        assert log.put_to_sleep(match, head.version, head.root) == "OK"  # and there is no file
    result = salvage(settings, tmp_path / "new")
    assert [(loss.match, loss.missing) for loss in result.lost] == [(match, tuple(range(1, head.version + 1)))]
    assert "the file is missing" in result.lost[0].says


def test_a_match_that_went_away_stays_away_whatever_is_accepted(house, tmp_path):
    entry = house.entries[next(iter(house.entries))][0]
    moved = replace(entry, envelope=b'{"events": [{"type": "table.MatchMoved"}]}')
    over = replace(entry, envelope=b'{"events": [{"type": "tournament.Ended"}]}')
    assert [_build_head([each])["was"] for each in (entry, moved, over)] == ["open", "moved", "over"]


def test_neither_a_served_directory_nor_a_full_folder_is_taken(house, tmp_path):
    settings = house.copy(tmp_path / "copy")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "something").touch()
    with pytest.raises(BackupFolderError):
        salvage(settings, tmp_path / "full")
    with pytest.raises(BackupFolderError, match=r"/inside lies in the directory"):
        salvage(settings, settings.data_dir / "inside")
    with (
        EmbeddedServers(settings.data_dir, queue=False, server=settings.store_server),
        pytest.raises(AlreadyServedError),
    ):
        salvage(settings, tmp_path / "new")


def command(*words: str) -> bytes:
    return f"*{len(words)}\r\n".encode() + b"".join(f"${len(word)}\r\n{word}\r\n".encode() for word in words)


def transaction(number: int) -> bytes:
    return command("MULTI") + command("SET", "a", str(number)) + command("SET", "b", str(number)) + EXEC_COMMAND


@pytest.mark.parametrize(
    ("harm", "kept", "lost"),
    [
        (lambda text: text, [0, 1, 2], 0),
        (lambda text: text[:-3], [0, 1], 0),  # torn, and so never acknowledged
        (lambda text: text.replace(b"$1\r\n1", b"$7\r\n1"), [0, 2], 1),
        (lambda text: text.replace(b"$3\r\nSET\r\n$1\r\nb\r\n$1\r\n1", b"$3\r\nSET\r\n?1\r\nb\r\n$1\r\n1"), [0, 2], 1),
        (lambda text: text[:-14] + b"?" + text[-13:], [0, 1, 2], 0),
    ],
)
def test_transactions_are_read_whole_or_not_at_all(harm: Callable[[bytes], bytes], kept: list[int], lost: int):
    text = harm(b"".join(map(transaction, range(3))))
    read = list(iterate_transactions("file", text))
    whole = [part for part in read if not isinstance(part, Lost)]
    assert [int(words[0][2]) for words in whole] == kept
    assert all(len(words) == 2 for words in whole)
    assert len(read) - len(whole) == lost


def test_records_after_a_damaged_one_are_found_again():
    def record(key: bytes, value: bytes) -> bytes:
        return b"\x00" + bytes([len(key)]) + key + bytes([len(value)]) + value

    text = (
        b"REDIS0011" + record(b"{p01}:a", b"one") + record(b"{p02}:b", b"two") + record(b"{p03}:c", b"three") + b"\xff"
    )
    found = list(RdbReader("file", text).iterate_records())
    assert [each.key for each in found if isinstance(each, Record)] == [b"{p01}:a", b"{p02}:b", b"{p03}:c"]
    at = text.index(b"{p02}:b") + 7
    broken = text[:at] + b"\x0a" + text[at + 1 :]  # longer than it is
    found = list(RdbReader("file", broken).iterate_records())
    assert [each.key for each in found if isinstance(each, Record)] == [b"{p01}:a", b"{p03}:c"]
    (lost,) = (each for each in found if isinstance(each, Lost))
    assert b"{p02}:b" in lost.content

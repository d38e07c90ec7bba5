"""A byte that flipped, wherever it lies: in the file of a bundle, in a store in memory, in the files of a real server.

Every flip is found that changes what a match was. Some places nobody vouches for, as when a bundle was made: they are
named here, and that a flip there says nothing.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from referee.audit.bundles import format as form
from referee.audit.bundles.format import Bundle, BundleError
from referee.audit.checks.findings import FindingKind
from referee.eventstore.contract import MatchLog, StoredEntry
from tests.audit.forging import Forger
from tests.audit.sitting import House, played
from tests.audit.test_tampering import alone, honest, untouched, whole, work
from tests.eventstore.servers import NO_SERVER, Server, binaries

FLIPS = 80  # of a bundle, of some 60,000 that there are
AOF = 16  # of a real server's files
MOVES = 5  # of the matches in them


def vouched(bundle: Bundle) -> Bundle:
    """What somebody vouches for: not when a bundle was made and by what, nor since when the first key is used."""
    header = replace(bundle.header, made_ms=0, program="", status="")
    first, *others = bundle.keys
    return replace(bundle, header=header, keys=(replace(first, since_ms=0), *others))


def flipped(data: bytes, at: int, bit: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :]


def test_a_flipped_byte_of_a_bundle_is_found_wherever_it_lies(tmp_path: Path) -> None:
    dice, data = random.Random("flips"), b"".join(honest().house.bundle(honest().match))
    kept, looked = vouched(form.decode_bundle(data.splitlines(keepends=True))), 0
    for _ in range(FLIPS):
        other = flipped(data, dice.randrange(len(data)), dice.randrange(8))
        lines = other.splitlines(keepends=True) if b"\r" not in other else other.split(b"\n")
        try:
            same = vouched(form.decode_bundle(lines)) == kept
        except BundleError:
            same = False
        told = alone([other], [], [], tmp_path)
        assert (told["exit"] == 0) == same, told
        if told["exit"] != FindingKind.UNREADABLE:
            looked += 1
            # A status that is told by what was flipped may be found by one of both before the root is.
            codes = {whole(lines, [], []).exit_code, told["exit"]}
            assert len(codes) == 1 or same or codes == {FindingKind.VERSION, FindingKind.ROOT}
    assert looked > FLIPS // 4, "some flips leave a file that can be read"


# -- stores ------------------------------------------------------------------------------------------------------------


def stored(log: MatchLog, match: str) -> tuple[StoredEntry, ...]:
    return log.read_entries(match, 0, 10_000)


def bundle_of(entries: tuple[StoredEntry, ...], base: Forger) -> list[bytes]:
    """The bundle of what a copied store holds, with the checkpoint that its server has signed before."""
    forger, lines = work(base), []
    for entry in entries:
        (part,) = forger.entries[min(entry.version, forger.size) - 1].parts
        sealed = replace(part, part=entry.sealed.decode("utf-8", "surrogateescape"))
        envelope = entry.envelope.decode("utf-8", "surrogateescape")
        lines.append(form.EntryLine(entry.version, envelope, entry.root, (sealed,)))
    forger.entries = lines
    try:
        return forger.lines()
    except TypeError:  # what is no text cannot be written into a bundle: nobody gets it
        return [b"?"]


@pytest.mark.parametrize("what", ["envelope", "sealed", "root"])
@pytest.mark.parametrize("version", [1, 9, 20])
def test_a_flipped_byte_of_a_store_in_memory_is_found(what: str, version: int, tmp_path: Path) -> None:
    kept = stored(honest().house.log, honest().match)
    data = getattr(kept[version - 1], what)
    for at in (0, len(data) // 2, len(data) - 1):
        other = replace(kept[version - 1], **{what: flipped(data, at, 2)})
        lines = bundle_of((*kept[: version - 1], other, *kept[version:]), untouched())
        told, report = alone(lines, [], [], tmp_path)["exit"], whole(lines, [], []).exit_code
        assert told == report
        assert told in (
            FindingKind.UNREADABLE,
            FindingKind.VERSION,
            FindingKind.ROOT if what != "sealed" else FindingKind.OPENING,
        )


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    found = binaries()
    if not found:
        pytest.skip(NO_SERVER)
    made = Server(next(iter(found.values()))).start()
    yield made
    made.remove()


def copies(server: Server, folder: Path) -> Iterator[tuple[Server, Path]]:
    """Copies of a stopped server's files, one after another, each with the file to which everything was appended."""
    while True:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(server.folder, folder, ignore=shutil.ignore_patterns("s", "log"))
        other = Server(server.binary)
        shutil.rmtree(other.folder)
        shutil.copytree(folder, other.folder)
        (file,) = other.folder.glob("appendonlydir/*.incr.aof")
        yield other, file


@pytest.mark.crash
def test_a_flipped_byte_in_the_files_of_a_real_server_is_found_if_it_changed_the_match(
    server: Server, tmp_path: Path
) -> None:
    base, dice = played(1, House(log=server.log()), MOVES), random.Random("aof")
    kept = stored(server.log(), base.match)
    lines = base.house.bundle(base.match)
    base_lines = Forger.on(base)
    server.kill()
    refused = changed = same = 0
    for number, (other, file) in zip(range(AOF), copies(server, tmp_path / "copy"), strict=False):
        data = file.read_bytes()
        entry = kept[number % len(kept)]
        spot = (entry.envelope, entry.sealed, entry.root, b"")[number % 4]
        start = data.index(spot) if spot else 0
        file.write_bytes(flipped(data, start + dice.randrange(len(spot) or len(data)), dice.randrange(8)))
        try:
            other.start()
        except RuntimeError:
            refused += 1  # the server itself does not load such a file
            continue
        else:
            found = stored(other.log(), base.match)
            here = bundle_of(found, base_lines)
            told, report = alone(here, [], [], tmp_path)["exit"], whole(here, [], []).exit_code
            assert told == report
            assert (told == 0) == (found == kept)
            changed, same = changed + (found != kept), same + (found == kept)
        finally:
            other.remove()
    assert changed >= AOF // 2, (refused, changed, same)
    assert whole(lines, base.receipts, []).exit_code == 0

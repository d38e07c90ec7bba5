"""Making bundles: the lines of a match's file for a pair of eyes, read from the log as they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import orjson

import referee
from referee.arbitration.replay.replay import Reading
from referee.audit.bundles.format import (
    BookLine,
    CheckpointLine,
    DrawLine,
    EntryLine,
    FormerLine,
    Header,
    KeyLine,
    Line,
    LuggageLine,
    Part,
    PublishedLine,
    SecretLine,
    line_from,
)
from referee.audit.checks import randomness
from referee.engine.codec import canonical
from referee.engine.rulings import Refused
from referee.engine.seats import BYSTANDER, FULL
from referee.eventstore.contract import Entry
from referee.infrastructure.archives.provenance import Origin, Origins
from referee.infrastructure.root_publisher import NoSuchLeaf, Publisher
from referee.match.aggregate import OVER, Match
from referee.match.entries import shown, unpack
from referee.queries import views
from referee.service.match_service import Desk, Loaded
from referee.transparency.key_chain import RootLeaf, read_leaf

T = TypeVar("T")
PAGE = 200
PUBLIC, WHOLE, SEALED, MOVING = "public", "full", "sealed", "moving"  # eyes; else a seat's number
OPEN = frozenset({WHOLE, SEALED, MOVING})  # that see all of it
PIECE = 128 * 1024  # characters of luggage in a line


@dataclass(frozen=True, slots=True)
class Beside:
    """What a bundle tells that the desk does not know: the public keys of the server, oldest first, and where the root
    of a match was published, if it was by its first so many entries. `latest`: the keys as they stand once all has been
    signed, for the key may be rotated meanwhile."""

    keys: tuple[KeyLine, ...] = ()
    published: Callable[[str, int], tuple[PublishedLine, ...]] = lambda _match, _version: ()
    origins: Origins | None = None
    latest: Callable[[], tuple[KeyLine, ...]] | None = None


def beside(publisher: Publisher, origins: Origins | None = None) -> Beside:
    """What a server's bundles tell beside its matches' logs; `origins`: whose matches from elsewhere are. Raises
    StoreAway, RootsDamaged, and so do its parts."""

    def keys() -> tuple[KeyLine, ...]:
        chain = publisher.keys()
        return tuple(KeyLine(each.public, each.since_ms, each.statement) for each in chain)

    def published(match: str, version: int) -> tuple[PublishedLine, ...]:
        try:
            found = publisher.inclusion(match)
        except NoSuchLeaf:
            return ()
        leaf = read_leaf(found.data)
        if not isinstance(leaf, RootLeaf) or leaf.size > version:  # it went on since the bundle was begun
            return ()
        return (PublishedLine(found.data.decode(), found.index, found.path, found.note),)

    return Beside(keys(), published, origins, keys)


def lines(desk: Desk, match: str | Loaded, eyes: str, beside: Beside) -> Iterator[Line]:
    """The lines of a bundle, all but the last one. `match`: its id, or the match as it was just loaded.

    Onlookers come as late as the match says. What is refused is refused here, before the first line. Raises
    UnknownMatch; Refused: all of it while the match runs, be it for an arbiter, who looks and takes nothing along.
    """
    loaded = desk.load(match) if isinstance(match, str) else match
    if eyes == WHOLE and loaded.match.status not in OVER:
        raise Refused("still_running", "TABLE-END-1")
    if eyes not in (SEALED, MOVING):
        loaded = views.latest(desk, loaded, _eyes(eyes), None)
    return _lines(desk, loaded, eyes, beside)


def _lines(desk: Desk, loaded: Loaded, eyes: str, beside: Beside) -> Iterator[Line]:
    match, version = loaded.match, loaded.version
    (last,) = desk.log.entries(match.id, version - 1, 1)
    note = desk.sign(match.id, version, last.root)
    origin = None if beside.origins is None else beside.origins.of(match.id)
    if origin is not None and note == origin.note:
        published = _lines_of(origin.published, PublishedLine)
        keys = tuple(KeyLine(key.public, key.since_ms, key.statement) for key in origin.keys)
    else:
        published = beside.published(match.id, version)
        keys = beside.keys if beside.latest is None else beside.latest()  # of all that was signed here
        if origin is not None:
            told = _lines_of(origin.published, PublishedLine)
            published = (*(line for line in told if _size_of(line) <= version), *published)
    store = note.partition("\n")[0].rpartition("/")[0]
    notes, former = _before(origin, note, version, store)
    made_ms = loaded.reading.now_ms
    if eyes == MOVING:  # the same file each time
        made_ms = orjson.loads(last.envelope)["at"]
    yield Header(
        match.id, note.partition("\n")[0], eyes, match.game, match.variant, match.edition, match.ruleset, match.status,
        version, made_ms, f"referee {referee.__version__}",
    )  # fmt: skip
    yield from keys
    yield from former
    if match.book:
        book = desk.library.book(match.rules, match.edition)
        yield BookLine(book.name, book.text)
    yield from _entries(desk, loaded, eyes)
    if eyes == MOVING or (eyes in OPEN and match.status in OVER):
        for generation, _ in enumerate(randomness.committed(match)):
            yield SecretLine(generation, randomness.secret(desk.draws, match.id, generation))
        yield from _draws(desk, loaded)
    yield from map(CheckpointLine, (*notes, note))
    yield from published
    if eyes == MOVING:
        packed = (desk.log.departed(match.id) or b"").decode()
        yield from (LuggageLine(packed[at : at + PIECE]) for at in range(0, len(packed), PIECE))


def _lines_of(told: Iterable[str], kind: type[T]) -> tuple[T, ...]:
    """Lines of a bundle as a note keeps them."""
    return tuple(line for each in told if isinstance(line := line_from(each.encode(), 1), kind))


def _size_of(line: PublishedLine) -> int:
    leaf = read_leaf(line.leaf.encode())
    return leaf.size if isinstance(leaf, RootLeaf) else 0


def _before(origin: Origin | None, last: str, version: int, store: str) -> tuple[list[str], list[FormerLine]]:
    """Where a match was before: the last checkpoint of each server, up to a version, and the keys that signed there.
    `last` is the checkpoint of that version, by that `store`."""
    if origin is None:
        return [], []
    notes = [note for note in (*origin.notes, origin.note) if int(note.split("\n")[1]) < version and note != last]
    own = origin.origin.rpartition("/")[0]
    of_own = (FormerLine(own, key.public, key.since_ms, key.statement) for key in origin.keys)
    keys = dict.fromkeys((*_lines_of(origin.former, FormerLine), *of_own))
    return notes, sorted((line for line in keys if line.store != store), key=lambda line: line.store)


def _eyes(eyes: str) -> int:
    """The eyes of the desk. Raises ValueError."""
    return {PUBLIC: int(BYSTANDER), WHOLE: int(FULL)}[eyes] if eyes in (PUBLIC, WHOLE) else int(eyes)


def _stored(desk: Desk, loaded: Loaded) -> Iterator[Entry]:
    """The entries as they are stored, up to the version that was loaded."""
    after = 0
    while after < loaded.version and (page := desk.log.entries(loaded.match.id, after, PAGE)):
        yield from (entry for entry in page if entry.version <= loaded.version)
        after = page[-1].version


def _entries(desk: Desk, loaded: Loaded, eyes: str) -> Iterator[EntryLine]:
    generation = 0
    for entry in _stored(desk, loaded):
        envelope: dict[str, Any] = orjson.loads(entry.envelope)
        generation += randomness.renewals(envelope["events"])
        parts: Iterable[Part] = ()
        if (who := WHOLE if eyes in OPEN else eyes) in envelope["commitments"]:
            salt = randomness.salt(desk.draws, loaded.match.id, generation, entry.version, who)
            parts = (Part(who, salt, part(desk, entry, who).decode()),)
        yield EntryLine(entry.version, entry.envelope.decode(), entry.root, tuple(parts))


def part(desk: Desk, entry: Entry, who: str) -> bytes:
    """The bytes of an entry that are committed to for a seat, or for `full`."""
    if who == WHOLE:
        return entry.sealed
    logged = desk.library.ready(unpack(entry))
    return canonical(shown(*logged.seen_by(int(who)), logged.hash_for(int(who))))


def _draws(desk: Desk, loaded: Loaded) -> Iterator[DrawLine]:
    """What the server drew, entry by entry."""
    reading = Reading()
    for entry in _stored(desk, loaded):
        logged = desk.library.ready(unpack(entry))
        before: Match = reading.match
        reading.go_on(logged)
        if randomness.by_server(before, logged):
            secret = randomness.secret(desk.draws, before.id, randomness.generation(before))
            yield randomness.draw(before, logged.version, secret).line

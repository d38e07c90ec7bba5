"""Makes bundles: the lines of a match's file for a viewer, read from the log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import orjson

import referee
from referee.arbitration.replay.replay import LogReplay
from referee.audit.bundles.format import (
    BookLine,
    BundleHeader,
    BundleLine,
    CheckpointLine,
    DrawLine,
    EntryLine,
    FormerKeyLine,
    KeyLine,
    OpenedPart,
    PayloadLine,
    PublishedRootLine,
    SecretLine,
    StampLine,
    decode_line,
)
from referee.audit.checks import randomness
from referee.engine.codec import encode_canonical
from referee.engine.rulings import IllegalMove
from referee.engine.seats import BYSTANDER, FULL_VIEWER
from referee.eventstore.contract import StoredEntry
from referee.infrastructure.archives.provenance import MatchOrigin, OriginStore
from referee.infrastructure.root_publisher import LeafNotFoundError, RootPublisher
from referee.match.aggregate import FINAL_STATUSES, Match
from referee.match.entries import content_to_dict, decode_entry
from referee.match.loaded import LoadedMatch
from referee.queries import views
from referee.service.match_service import MatchService
from referee.transparency.key_chain import RootLeaf, decode_leaf

T = TypeVar("T")
PAGE = 200
PUBLIC, WHOLE, SEALED, MOVING = "public", "full", "sealed", "moving"  # the viewers that are not a seat's number
FULL_VIEWERS = frozenset({WHOLE, SEALED, MOVING})  # the viewers that see everything
MAX_PAYLOAD_PIECE = 128 * 1024  # characters of the transfer payload in a line


@dataclass(frozen=True, slots=True)
class BundleMetadata:
    """What a bundle holds that the match service does not know.

    `keys` are the public keys of the server, oldest first. `published` finds where a root of a match was published, up
    to a version, and timestamps over that. `latest` gives the keys after all has been signed, because a key may be
    rotated meanwhile.
    """

    keys: tuple[KeyLine, ...] = ()
    published: Callable[[str, int], tuple[PublishedRootLine | StampLine, ...]] = lambda _match, _version: ()
    origins: OriginStore | None = None
    latest: Callable[[], tuple[KeyLine, ...]] | None = None


def collect_bundle_metadata(publisher: RootPublisher, origins: OriginStore | None = None) -> BundleMetadata:
    """Return what a server's bundles hold besides the logs of its matches.

    `origins` says where matches came from. This call and the functions in its result raise StoreUnavailable,
    RootLogError.
    """

    def keys() -> tuple[KeyLine, ...]:
        chain = publisher.ensure_key_published()
        return tuple(KeyLine(each.public, each.since_ms, each.statement) for each in chain)

    def published(match: str, version: int) -> tuple[PublishedRootLine | StampLine, ...]:
        try:
            found = publisher.prove_publication(match)
        except LeafNotFoundError:
            return ()
        leaf = decode_leaf(found[0].data)
        if not isinstance(leaf, RootLeaf) or leaf.size > version:  # the match went on since the bundle was begun
            return ()
        places = (PublishedRootLine(each.data.decode(), each.index, each.path, each.note) for each in found)
        return (*places, *(StampLine(each.note, each.stamp) for each in found if each.stamp))

    return BundleMetadata(keys(), published, origins, keys)


def build_bundle_lines(
    service: MatchService, match: str | LoadedMatch, viewer: str, metadata: BundleMetadata
) -> Iterator[BundleLine]:
    """Return the lines of a bundle, all but the last one; they are read on demand.

    `match` is its id, or the match as it was just loaded. The public sees it as late as the match says. Errors are
    raised at the call, before the first line.

    Raises UnknownMatch. Raises IllegalMove for the full view while the match runs, also for an arbiter, who may look
    but not take it away.
    """
    loaded = service.load_match(match) if isinstance(match, str) else match
    if viewer == WHOLE and loaded.match.status not in FINAL_STATUSES:
        raise IllegalMove("still_running", "TABLE-END-1")
    if viewer not in (SEALED, MOVING):
        loaded = views.load_visible_version(service, loaded, _parse_viewer(viewer), None)
    return _build_lines(service, loaded, viewer, metadata)


def _build_lines(
    service: MatchService, loaded: LoadedMatch, viewer: str, metadata: BundleMetadata
) -> Iterator[BundleLine]:
    match, version = loaded.match, loaded.version
    (last,) = service.log.read_entries(match.id, version - 1, 1)
    note = service.sign(match.id, version, last.root)
    origin = None if metadata.origins is None else metadata.origins.find_origin(match.id)
    if origin is not None and note == origin.note:
        published = _decode_published(origin)
        keys = tuple(KeyLine(key.public, key.since_ms, key.statement) for key in origin.keys)
    else:
        published = metadata.published(match.id, version)
        keys = metadata.keys if metadata.latest is None else metadata.latest()  # the keys of all that was signed here
        if origin is not None:
            published = (*_list_published_before(origin, version), *published)
    store = note.partition("\n")[0].rpartition("/")[0]
    notes, former = _find_former_servers(origin, note, version, store)
    made_ms = loaded.read_result.now_ms
    if viewer == MOVING:  # so that the file is the same each time
        made_ms = orjson.loads(last.envelope)["at"]
    yield BundleHeader(
        match.id, note.partition("\n")[0], viewer, match.game, match.variant, match.edition, match.ruleset,
        match.status, version, made_ms, f"referee {referee.__version__}",
    )  # fmt: skip
    yield from keys
    yield from former
    if match.book:
        book = service.repository.library.find_book(match.rules, match.edition)
        yield BookLine(book.name, book.text)
    yield from _build_entry_lines(service, loaded, viewer)
    if viewer == MOVING or (viewer in FULL_VIEWERS and match.status in FINAL_STATUSES):
        for generation, _ in enumerate(randomness.list_commitments(match)):
            yield SecretLine(generation, randomness.get_secret(service.appender.draws, match.id, generation))
        yield from _build_draw_lines(service, loaded)
    yield from map(CheckpointLine, (*notes, note))
    yield from (line for line in published if isinstance(line, PublishedRootLine))
    yield from (line for line in published if isinstance(line, StampLine))
    if viewer == MOVING:
        packed = (service.log.find_departed_payload(match.id) or b"").decode()
        yield from (PayloadLine(packed[at : at + MAX_PAYLOAD_PIECE]) for at in range(0, len(packed), MAX_PAYLOAD_PIECE))


def _decode_lines(texts: Iterable[str], kind: type[T]) -> tuple[T, ...]:
    """Return the lines of this kind, decoded, among those that an origin note keeps."""
    return tuple(line for each in texts if isinstance(line := decode_line(each.encode(), 1), kind))


def _decode_published(origin: MatchOrigin) -> tuple[PublishedRootLine | StampLine, ...]:
    return (*_decode_lines(origin.published, PublishedRootLine), *_decode_lines(origin.published, StampLine))


def _list_published_before(origin: MatchOrigin, version: int) -> Iterator[PublishedRootLine | StampLine]:
    """Yield where servers before published roots up to a version, with timestamps."""
    places = [line for line in _decode_lines(origin.published, PublishedRootLine) if _read_root_size(line) <= version]
    yield from places
    shown = {line.note for line in places}
    yield from (line for line in _decode_lines(origin.published, StampLine) if line.note in shown)


def _read_root_size(line: PublishedRootLine) -> int:
    leaf = decode_leaf(line.leaf.encode())
    return leaf.size if isinstance(leaf, RootLeaf) else 0


def _find_former_servers(
    origin: MatchOrigin | None, last: str, version: int, store: str
) -> tuple[list[str], list[FormerKeyLine]]:
    """Return the last checkpoints of the servers before, and their keys.

    Checkpoints are given up to a version. `last` is the checkpoint of that version, by that `store`.
    """
    if origin is None:
        return [], []
    notes = [note for note in (*origin.notes, origin.note) if int(note.split("\n")[1]) < version and note != last]
    own = origin.origin.rpartition("/")[0]
    of_own = (FormerKeyLine(own, key.public, key.since_ms, key.statement) for key in origin.keys)
    keys = dict.fromkeys((*_decode_lines(origin.former, FormerKeyLine), *of_own))
    return notes, sorted((line for line in keys if line.store != store), key=lambda line: line.store)


def _parse_viewer(viewer: str) -> int:
    """Return the viewer's number. Raises ValueError."""
    return {PUBLIC: int(BYSTANDER), WHOLE: int(FULL_VIEWER)}[viewer] if viewer in (PUBLIC, WHOLE) else int(viewer)


def _read_stored_entries(service: MatchService, loaded: LoadedMatch) -> Iterator[StoredEntry]:
    """Yield the stored entries up to the version that was loaded."""
    after = 0
    while after < loaded.version and (page := service.log.read_entries(loaded.match.id, after, PAGE)):
        yield from (entry for entry in page if entry.version <= loaded.version)
        after = page[-1].version


def _build_entry_lines(service: MatchService, loaded: LoadedMatch, viewer: str) -> Iterator[EntryLine]:
    generation = 0
    for entry in _read_stored_entries(service, loaded):
        envelope: dict[str, Any] = orjson.loads(entry.envelope)
        generation += randomness.count_renewals(envelope["events"])
        parts: Iterable[OpenedPart] = ()
        if (who := WHOLE if viewer in FULL_VIEWERS else viewer) in envelope["commitments"]:
            salt = randomness.get_salt(service.appender.draws, loaded.match.id, generation, entry.version, who)
            parts = (OpenedPart(who, salt, encode_part(service, entry, who).decode()),)
        yield EntryLine(entry.version, entry.envelope.decode(), entry.root, tuple(parts))


def encode_part(service: MatchService, entry: StoredEntry, who: str) -> bytes:
    """Return the bytes of an entry that are committed to for a seat, or for `full`."""
    if who == WHOLE:
        return entry.sealed
    logged = service.repository.library.install_book_for(decode_entry(entry))
    return encode_canonical(content_to_dict(*logged.view_for(int(who)), logged.decision_for(int(who))))


def _build_draw_lines(service: MatchService, loaded: LoadedMatch) -> Iterator[DrawLine]:
    """Yield what the server drew, entry by entry."""
    reading = LogReplay()
    for entry in _read_stored_entries(service, loaded):
        logged = service.repository.library.install_book_for(decode_entry(entry))
        before: Match = reading.match
        reading.append_entry(logged)
        if randomness.is_server_draw(before, logged):
            secret = randomness.get_secret(service.appender.draws, before.id, randomness.get_secret_generation(before))
            yield randomness.redo_draw(before, logged.version, secret).line

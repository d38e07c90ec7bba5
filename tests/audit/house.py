"""Matches on a desk that draws and signs as the server does, and their bundles: for tests of the audit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.arbitration.replay.replay import LogReplay
from referee.audit.bundles import format as form
from referee.audit.bundles.export import BundleMetadata, build_bundle_lines
from referee.audit.bundles.format import Bundle, CheckpointLine, EntryLine, KeyLine, OpenedPart
from referee.engine.game import Setup
from referee.eventstore.contract import MatchLog, StoredEntry
from referee.eventstore.memory.log import MemoryLog
from referee.games import load_games
from referee.match.entries import LogEntry, decode_entry, encode_entry
from referee.service.match_service import MatchService
from referee.transparency.merkle import compute_root, extend_frontier, leaf_hash
from referee.transparency.randomness import ServerRandomSource, derive_salt
from referee.transparency.receipts import Signer
from tests.arbitration.playing import opened, plays
from tests.service.house import identify

STORE = "store-of-tests"
SIGNER = Signer(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
OTHER = Signer(Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33))))
BESIDE = BundleMetadata((KeyLine(SIGNER.public, 0),))


def service(log: MatchLog | None = None, signer: Signer = SIGNER) -> MatchService:
    """A desk as the server has it, over a log in memory, with fixed keys."""
    return MatchService(
        MemoryLog() if log is None else log,
        ServerRandomSource(bytes(range(32, 64))),
        lambda match, size, root: signer.sign_receipt(f"{STORE}/{match}", size, root),
        lambda partition: None,
        identify,
    )


def played(
    game: str, source: str = "server", most: int = 400, seed: int = 1, **settings: object
) -> tuple[MatchService, str]:
    """A match that was begun and played by chance, so many moves at most."""
    box, house = load_games()[game], service()
    chance = dict.fromkeys(box.devices, source)
    seats = min(3, box.max_seats)
    setup = box.complete_setup(Setup(box.variants[0], seats, dict(settings), chance))
    match = opened(house, game, setup, f"audit-{game}-{source}-{seed}")
    plays(house, match, seed, most)
    return house, match


def bundled(house: MatchService, match: str, viewer: str = "full") -> Bundle:
    """The bundle of a match, as it is read from its file."""
    return form.decode_bundle(form.encode_bundle(build_bundle_lines(house, match, viewer, BESIDE)))


@cache
def finished(game: str = "monster_combat") -> Bundle:
    """The bundle of a match that was played to its end: made once."""
    house, match = played(game)
    return bundled(house, match)


def resigned(
    bundle: Bundle, envelopes: list[str], parts: list[tuple[OpenedPart, ...]], signer: Signer = SIGNER
) -> Bundle:
    """A bundle with these envelopes and parts, as somebody makes it who holds the key: its roots and its checkpoint
    fit."""
    frontier, made = (), list[EntryLine]()
    for at, envelope in enumerate(envelopes):
        frontier = extend_frontier(frontier, at, leaf_hash(envelope.encode()))
        made.append(EntryLine(at + 1, envelope, compute_root(frontier, at + 1), parts[at]))
    note = signer.sign_receipt(bundle.header.origin, len(made), made[-1].root)
    header = replace(bundle.header, size=len(made))
    return replace(bundle, header=header, entries=tuple(made), checkpoints=(CheckpointLine(note),))


def rewritten(bundle: Bundle, version: int, change: Callable[[LogEntry], LogEntry]) -> Bundle:
    """A full bundle in which one entry was changed by somebody who holds all keys and all secrets: envelope, parts,
    salts, roots and checkpoint fit. Only its draw lines still tell what was drawn."""
    reading = LogReplay()
    envelopes, parts = [], []
    secret = bundle.secrets[0].secret
    for line in bundle.entries:
        logged = decode_entry(StoredEntry(line.version, line.envelope.encode(), line.parts[0].part.encode(), b""))
        reading.append_entry(logged)
        if line.version == version:
            logged = change(logged)
        envelope, full = encode_entry(
            reading.match, logged, lambda match, *of: derive_salt(secret, match, of[-2], of[-1])
        )
        envelopes.append(envelope.decode())
        parts.append((replace(line.parts[0], part=full.decode()),))
    return resigned(bundle, envelopes, parts)

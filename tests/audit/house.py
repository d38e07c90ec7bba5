"""Matches on a desk that draws and signs as the server does, and their bundles: for tests of the audit."""

from __future__ import annotations

from functools import cache

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.audit import bundle as form
from referee.audit.bundle import Bundle, KeyLine
from referee.audit.making import Beside, lines
from referee.desk.desk import Desk
from referee.games import games
from referee.hosting.draws import Draws
from referee.hosting.signing import Signer
from referee.kernel.box import Setup
from referee.store.base import MatchLog
from referee.store.memory import MemoryLog
from tests.desk.court.playing import opened, plays
from tests.desk.house import identify

STORE = "store-of-tests"
SIGNER = Signer(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
OTHER = Signer(Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33))))
BESIDE = Beside((KeyLine(SIGNER.public, 0),))


def desk(log: MatchLog | None = None, signer: Signer = SIGNER) -> Desk:
    """A desk as the server has it, over a log in memory, with fixed keys."""
    return Desk(
        MemoryLog() if log is None else log,
        Draws(bytes(range(32, 64))),
        lambda match, size, root: signer.receipt(f"{STORE}/{match}", size, root),
        lambda partition: None,
        identify,
    )


def played(game: str, source: str = "server", most: int = 400, seed: int = 1, **settings: object) -> tuple[Desk, str]:
    """A match that was begun and played by chance, so many moves at most."""
    box, house = games()[game], desk()
    chance = dict.fromkeys(box.devices, source)
    seats = min(3, box.max_seats)
    setup = box.set_up(Setup(box.variants[0], seats, dict(settings), chance))
    match = opened(house, game, setup, f"audit-{game}-{source}-{seed}")
    plays(house, match, seed, most)
    return house, match


def bundled(house: Desk, match: str, eyes: str = "full") -> Bundle:
    """The bundle of a match, as it is read from its file."""
    return form.read(form.written(lines(house, match, eyes, BESIDE)))


@cache
def finished(game: str = "monster_combat") -> Bundle:
    """The bundle of a match that was played to its end: made once."""
    house, match = played(game)
    return bundled(house, match)

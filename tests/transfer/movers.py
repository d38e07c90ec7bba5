"""Servers between which matches move: each with keys, a secret, a store and an archive of its own."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from referee.audit import standalone
from referee.audit.bundles import format as form
from referee.audit.bundles.export import SEALED, beside, lines
from referee.audit.bundles.format import Bundle
from referee.audit.bundles.importing import Importing
from referee.audit.store_audit import Auditor, Looking
from referee.engine.events import Move
from referee.engine.game import Setup
from referee.engine.referee import awaited, sampled
from referee.engine.seats import Seat
from referee.eventstore.memory.log import MemoryLog
from referee.games import games
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.archives.archived_log import shelved
from referee.infrastructure.archives.provenance import DrawsOfAll, Origins, signed
from referee.infrastructure.root_publisher import Publisher
from referee.match.aggregate import OVER, Chair, Clocks, Match
from referee.match.table import commands
from referee.match.table.player_entropy import RevealSeed, seed_commitment
from referee.service.match_service import Desk
from referee.transfer.export_import import Moving
from referee.transparency.receipts import Signer
from tests.audit.sitting import signer
from tests.service.house import identify

SEED = bytes(range(16))


@dataclass
class Server:
    """One of them, by its name: `receipts` are those that players were given."""

    name: str
    folder: Path
    log: Any = field(default_factory=MemoryLog)
    receipts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.memory: MemoryLog = self.log
        self.archive = Archive(self.folder / self.name)
        self.log = shelved(self.memory, self.archive)
        self.signer: Signer = signer(self.name)
        self.publisher = Publisher(self.log, self.signer, self.name)
        self.publisher.keys()

    @property
    def origins(self) -> Origins:
        return Origins(self.archive)

    @property
    def desk(self) -> Desk:
        """A desk that knows nothing yet, as of a process that has just begun."""
        draws = DrawsOfAll(hashlib.sha256(self.name.encode()).digest(), self.origins)
        return Desk(self.log, draws, signed(self.sign, self.origins), lambda _: None, identify)

    def sign(self, match: str, size: int, root: bytes) -> str:
        note = self.signer.receipt(f"{self.name}/{match}", size, root)
        self.receipts.append(note)
        return note

    @property
    def moving(self) -> Moving:
        return Moving(self.desk, self.archive, self.publisher)

    @property
    def importing(self) -> Importing:
        return Importing(self.log, self.archive, self.name, [self.signer.public])

    @property
    def auditor(self) -> Auditor:
        return Auditor(self.desk, self.archive, Looking(self.log, self.signer, self.name))

    def sent(self, match: str, **how: Any) -> list[bytes]:
        """The file of a match that leaves, or has left."""
        moving = self.moving
        return list(form.written(moving.file(moving.leave(match, **how))))

    def bundle(self, match: str, eyes: str = SEALED) -> Bundle:
        return form.read(self.lines(match, eyes))

    def lines(self, match: str, eyes: str = SEALED) -> list[bytes]:
        return list(form.written(lines(self.desk, match, eyes, beside(self.publisher, self.origins))))


def running(at: Server, game: str = "here_to_slay", moves: int = 12, move_ms: int | None = None) -> str:
    """A match under way, with tokens, names and a seed beside it."""
    box, desk = games()[game], at.desk
    setup = box.set_up(Setup(box.variants[0], box.min_seats, {}, dict.fromkeys(box.devices, "server")))
    settings = {name: value for name, value in setup.settings.items() if value is not None}
    chairs = (Chair("human"),) * setup.seats
    ask = commands.Open(game, setup.variant, settings, setup.chance, chairs, clocks=Clocks(move_ms, move_ms))
    match = desk.open(ask, f"moving-{at.name}-{game}").match.id
    for seat in range(setup.seats):
        bound = "" if seat else seed_commitment(SEED)
        desk.business(match, commands.TakeSeat(seat, bound), key=f"take{seat}", scope="join")
    desk.business(match, RevealSeed(0, SEED.hex()), key="seed", scope="seat0")
    desk.business(match, commands.Start(), key="start", scope="host")
    for seat in range(setup.seats):
        token = hashlib.sha256(f"token {seat}".encode()).hexdigest()
        at.log.grant(match, token, orjson.dumps({"role": "seat", "seats": [seat]}))
        at.log.put_names(match, {str(seat): f"Player {seat}"})
    plays(at, match, moves)
    return match


def next_move(match: Match, dice: random.Random) -> tuple[Seat, Move]:
    """What somebody who is awaited may do."""
    state: Any = match.state
    seat = next(seat for seat in sorted(awaited(state)) if seat >= 0)
    move = sampled(state, seat, dice.randrange)
    assert move is not None
    return seat, move


def plays(at: Server, match: str, most: int, seed: int = 1) -> None:
    """So many moves of whoever is awaited, or fewer if it is over."""
    desk, dice = at.desk, random.Random(f"{seed} {at.name}")
    for _ in range(most):
        found = desk.load(match)
        if found.match.status in OVER:
            return
        desk.move(match, *next_move(found.match, dice), key=f"{at.name}{found.version}")


def read(lines: Iterable[bytes]) -> Bundle:
    return form.read(lines)


def alone(lines: Iterable[bytes], folder: Path, receipts: Iterable[str] = (), keys: Iterable[bytes] = ()) -> list[Any]:
    """What the file that stands alone finds."""
    path = folder / "checked.bundle"
    path.write_bytes(b"".join(lines))
    found: list[Any] = standalone.report_on(str(path), list(keys), list(receipts), True)["findings"]
    return found

"""Servers between which matches move: each with keys, a secret, a store and an archive of its own."""

from __future__ import annotations

import hashlib
import json
import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from referee.audit import bundle as form
from referee.audit.bundle import Bundle
from referee.audit.importing import Importing
from referee.audit.making import SEALED, beside, lines
from referee.audit.moving import Moving
from referee.audit.whole import Auditor, Looking
from referee.desk.desk import Desk
from referee.desk.matches import OVER
from referee.games import games
from referee.hosting.archive import Archive
from referee.hosting.foreign import DrawsOfAll, Origins, signed
from referee.hosting.publishing import Publisher
from referee.hosting.shelved import shelved
from referee.hosting.signing import Signer
from referee.kernel.box import Setup
from referee.kernel.play import awaited, sampled
from referee.kernel.seats import CHANCE
from referee.store.memory import MemoryLog
from tests.audit.sitting import begun, signer
from tests.desk.house import identify


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


def running(at: Server, game: str = "here_to_slay", moves: int = 12, **clocks: Any) -> str:
    """A match under way, with tokens, names and a seed beside it."""
    box = games()[game]
    setup = box.set_up(Setup(box.variants[0], box.min_seats, {}, dict.fromkeys(box.devices, "server")))
    match = begun(at, game, setup, f"moving-{at.name}-{game}", seeds={0: bytes(range(16))})  # type: ignore[arg-type]
    for seat in range(box.min_seats):
        token = hashlib.sha256(f"token {seat}".encode()).hexdigest()
        at.log.grant(match, token, json.dumps({"role": "seat", "seats": [seat]}).encode())
        at.log.put_names(match, {str(seat): f"Player {seat}"})
    plays(at, match, moves)
    return match


def plays(at: Server, match: str, most: int = 10_000, seed: int = 1) -> int:
    """Moves of whoever is awaited, so many at most; how many were made."""
    desk, dice = at.desk, random.Random(f"{seed} {at.name}")
    for count in range(most):
        found = desk.load(match)
        if found.match.status in OVER or found.match.state is None:
            return count
        seat = next(seat for seat in sorted(awaited(found.match.state)) if seat >= 0)
        assert CHANCE not in awaited(found.match.state)
        move = sampled(found.match.state, seat, dice.randrange)
        assert move is not None
        desk.move(match, seat, move, key=f"{at.name}{found.version}")
    return most



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
from referee.audit.bundles.export import SEALED, build_bundle_lines, collect_bundle_metadata
from referee.audit.bundles.format import Bundle
from referee.audit.bundles.importing import MatchImporter
from referee.audit.store_audit import ReadOnlyPublisher, StoreAuditor
from referee.engine.events import Move
from referee.engine.game import Setup
from referee.engine.referee import sample_legal_move, seats_that_must_act
from referee.engine.seats import Seat
from referee.eventstore.memory.log import MemoryLog
from referee.games import load_games
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.archives.archived_log import attach_archive
from referee.infrastructure.archives.provenance import FederatedRandomSource, OriginStore, build_origin_aware_signer
from referee.infrastructure.root_publisher import RootPublisher
from referee.match.aggregate import FINAL_STATUSES, Clocks, Match, SeatAssignment
from referee.match.events.transfer_events import AnswerTransfer
from referee.match.table import commands
from referee.match.table.player_entropy import RevealSeed
from referee.match.table.player_seed import compute_seed_commitment
from referee.match.table.transfer_policy import find_agreeing_seats, find_awaited_seats
from referee.service.match_service import MatchService
from referee.service.requests import MoveRequest
from referee.transfer.export_import import MatchTransfer
from referee.transfer.service import propose_transfer
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
        self.log = attach_archive(self.memory, self.archive)
        self.signer: Signer = signer(self.name)
        self.publisher = RootPublisher(self.log, self.signer, self.name)
        self.publisher.ensure_key_published()

    @property
    def origins(self) -> OriginStore:
        return OriginStore(self.archive)

    @property
    def service(self) -> MatchService:
        """A desk that knows nothing yet, as of a process that has just begun."""
        draws = FederatedRandomSource(hashlib.sha256(self.name.encode()).digest(), self.origins)
        return MatchService(
            self.log, draws, build_origin_aware_signer(self.sign, self.origins), lambda _: None, identify
        )

    def sign(self, match: str, size: int, root: bytes) -> str:
        note = self.signer.sign_receipt(f"{self.name}/{match}", size, root)
        self.receipts.append(note)
        return note

    @property
    def moving(self) -> MatchTransfer:
        return MatchTransfer(self.service, self.archive, self.publisher)

    @property
    def importing(self) -> MatchImporter:
        return MatchImporter(self.log, self.archive, self.name, [self.signer.public])

    @property
    def auditor(self) -> StoreAuditor:
        return StoreAuditor(self.service, self.archive, ReadOnlyPublisher(self.log, self.signer, self.name))

    def sent(self, match: str, **how: Any) -> list[bytes]:
        """The file of a match that leaves with everybody's consent, or has left."""
        moving = self.moving
        agreed_by_all(self.service, match, **how)
        return list(form.encode_bundle(moving.build_file_lines(moving.release_match(match, **how))))

    def bundle(self, match: str, viewer: str = SEALED) -> Bundle:
        return form.decode_bundle(self.lines(match, viewer))

    def lines(self, match: str, viewer: str = SEALED) -> list[bytes]:
        return list(
            form.encode_bundle(
                build_bundle_lines(self.service, match, viewer, collect_bundle_metadata(self.publisher, self.origins))
            )
        )


def running(at: Server, game: str = "here_to_slay", moves: int = 12, move_ms: int | None = None) -> str:
    """A match under way, with tokens, names and a seed beside it."""
    box, service = load_games()[game], at.service
    setup = box.complete_setup(Setup(box.variants[0], box.min_seats, {}, dict.fromkeys(box.devices, "server")))
    settings = {name: value for name, value in setup.settings.items() if value is not None}
    chairs = (SeatAssignment("human"),) * setup.seats
    ask = commands.OpenMatch(game, setup.variant, settings, setup.chance, chairs, clocks=Clocks(move_ms, move_ms))
    match = service.open_match(ask, f"moving-{at.name}-{game}").match.id
    for seat in range(setup.seats):
        bound = "" if seat else compute_seed_commitment(SEED)
        service.execute_command(match, commands.TakeSeat(seat, bound), key=f"take{seat}", scope="join")
    service.execute_command(match, RevealSeed(0, SEED.hex()), key="seed", scope="seat0")
    service.execute_command(match, commands.StartMatch(), key="start", scope="host")
    for seat in range(setup.seats):
        token = hashlib.sha256(f"token {seat}".encode()).hexdigest()
        at.log.put_grant(match, token, orjson.dumps({"role": "seat", "seats": [seat]}))
        at.log.put_seat_names(match, {str(seat): f"Player {seat}"})
    plays(at, match, moves)
    return match


def next_move(match: Match, dice: random.Random) -> tuple[Seat, Move]:
    """What somebody who is awaited may do."""
    state: Any = match.state
    seat = next(seat for seat in sorted(seats_that_must_act(state)) if seat >= 0)
    move = sample_legal_move(state, seat, dice.randrange)
    assert move is not None
    return seat, move


def plays(at: Server, match: str, most: int, seed: int = 1) -> None:
    """So many moves of whoever is awaited, or fewer if it is over."""
    service, dice = at.service, random.Random(f"{seed} {at.name}")
    for _ in range(most):
        found = service.load_match(match)
        if found.match.status in FINAL_STATUSES:
            return
        service.make_move(MoveRequest(match, *next_move(found.match, dice), key=f"{at.name}{found.version}"))


def agreed_by_all(service: MatchService, match: str, new_home: str = "", to: bytes = b"", **_: Any) -> None:
    """Have the table asked whether the match may move there, and everybody agree."""
    found = service.load_match(match)
    if found.head.status == "moved" or not find_agreeing_seats(found.match):
        return
    asked = propose_transfer(service, match, new_home=new_home, to=to.hex())
    assert asked is not None
    for seat in sorted(find_awaited_seats(found.match, asked)):
        said = AnswerTransfer(asked.number, True, (seat,))
        service.execute_command(match, said, key=f"agree{asked.number}", scope=f"seat{seat}")


def read(lines: Iterable[bytes]) -> Bundle:
    return form.decode_bundle(lines)


def alone(lines: Iterable[bytes], folder: Path, receipts: Iterable[str] = (), keys: Iterable[bytes] = ()) -> list[Any]:
    """What the file that stands alone finds."""
    path = folder / "checked.bundle"
    path.write_bytes(b"".join(lines))
    found: list[Any] = standalone.check_file(str(path), list(keys), list(receipts), True)["findings"]
    return found

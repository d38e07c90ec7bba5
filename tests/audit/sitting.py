"""Honest matches of all games on a desk with real chance, signatures and salts: what verifiers must find nothing in.

A match has a number, and the number says all about it: game, variant, seats, who holds dice and cards (the server, the
table, or one each), what is taken back and disputed. So whoever finds something can play it again.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.audit.bundles import export
from referee.audit.bundles import format as form
from referee.engine.events import Move
from referee.engine.game import Setup
from referee.engine.referee import find_legal_moves, sample_legal_move, seats_that_may_act, seats_that_must_act
from referee.engine.rulings import IllegalMove
from referee.engine.seats import CHANCE, CLOCK, Seat
from referee.eventstore.contract import MatchLog
from referee.eventstore.memory.log import MemoryLog
from referee.games import load_games
from referee.match.aggregate import FINAL_STATUSES, Match, SeatAssignment
from referee.match.events.dispute_commands import Attest, CastVote, IssueRuling, OpenDispute, WithdrawDispute
from referee.match.events.takeback_events import AnswerTakeback, RequestTakeback
from referee.match.table import commands
from referee.match.table.player_entropy import RevealSeed
from referee.match.table.player_seed import compute_seed_commitment
from referee.service.match_service import MatchService
from referee.service.requests import CommandResult, MoveRequest
from referee.transparency.randomness import ServerRandomSource
from referee.transparency.receipts import Signer
from tests.games.matches import SHORT
from tests.games.real_cards import real_match
from tests.service.house import end_agreed_by_all, identify
from workers.bots.player import play_bots

GAMES = sorted(load_games())
SOURCES = ("server", "bots", "mixed", "server", "table")
STORE = "aaaaaaaaaaaaaaaaaaaaaaaaaa"
MOST = 400  # moves of people, after which a match is given up; some games end by themselves long after
QUARRELS = 3  # of a match


def signer(name: str = "signing") -> Signer:
    """A signer whose key is the same in every run."""
    return Signer(Ed25519PrivateKey.from_private_bytes(hashlib.sha256(name.encode()).digest()))


@dataclass
class House:
    """A server without machines: a desk with its log, chance and key, and the receipts that it has given."""

    log: MatchLog = field(default_factory=MemoryLog)
    draws: ServerRandomSource = field(default_factory=lambda: ServerRandomSource(bytes(range(32))))
    signer: Signer = field(default_factory=signer)
    receipts: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.service = MatchService(self.log, self.draws, self.sign, lambda _: None, identify)

    def sign(self, match: str, size: int, root: bytes) -> str:
        """The receipt; a copy is kept, as players do."""
        note = self.signer.sign_receipt(f"{STORE}/{match}", size, root)
        kept = self.receipts.setdefault(match, [])
        if note not in kept[-3:]:
            kept.append(note)
        return note

    @property
    def beside(self) -> export.BundleMetadata:
        """What a bundle tells besides."""
        return export.BundleMetadata((form.KeyLine(self.signer.public, 0),))

    def bundle(self, match: str, viewer: str = "full") -> list[bytes]:
        """The lines of a match's bundle."""
        return list(form.encode_bundle(export.build_bundle_lines(self.service, match, viewer, self.beside)))


@dataclass
class Played:
    """A match that is over, in its house."""

    house: House
    match: str
    name: str

    @property
    def receipts(self) -> list[str]:
        """All receipts that were given."""
        return self.house.receipts[self.match]


@cache
def setup_of(number: int) -> tuple[str, str, Setup]:
    """The game of a match, who holds what, and how it is set up."""
    game, source = GAMES[number % len(GAMES)], SOURCES[number // len(GAMES) % len(SOURCES)]
    box, dice = load_games()[game], random.Random(f"setup {number}")
    chance = dict.fromkeys(box.devices, "table" if source == "table" else "server")
    if source == "mixed" and "dice" in chance:
        chance["dice"] = "table"
    seats = dice.randint(box.min_seats, min(box.max_seats, box.min_seats + 2))
    return game, source, box.complete_setup(Setup(dice.choice(box.variants), seats, SHORT.get(game, {}), chance))


def begun(
    house: House,
    game: str,
    setup: Setup,
    key: str,
    bots: dict[int, int] | None = None,
    seeds: dict[int, bytes] | None = None,
    style: str = "",
) -> str:
    """A match that has begun, with people on all seats but those of bots (seat: level), some of them with seeds."""
    service, levels, own = house.service, bots or {}, seeds or {}
    settings = {name: value for name, value in setup.settings.items() if value is not None}
    chairs = tuple(
        SeatAssignment("bot", levels[seat], style=style if levels[seat] > 1 else "")
        if seat in levels
        else SeatAssignment("human")
        for seat in range(setup.seats)
    )
    match = service.open_match(
        commands.OpenMatch(game, setup.variant, settings, setup.chance, chairs, official="somebody"), key
    ).match.id
    for seat in set(range(setup.seats)) - levels.keys():
        bound = compute_seed_commitment(own[seat]) if seat in own else ""
        service.execute_command(match, commands.TakeSeat(seat, bound), key=f"take{seat}", scope="join")
    for seat in sorted(own, reverse=True):
        service.execute_command(match, RevealSeed(seat, own[seat].hex()), key=f"seed{seat}", scope=f"seat{seat}")
    service.execute_command(match, commands.StartMatch(), key="start", scope="host")
    return match


def over(house: House, match: str, name: str) -> Played:
    """The match, given up if it is not over."""
    if house.service.load_match(match).match.status not in FINAL_STATUSES:
        house.service.execute_command(match, end_agreed_by_all("abandoned"), key="end", scope="host")
    return Played(house, match, name)


def played(number: int, house: House | None = None, most: int = MOST) -> Played:
    """Match `number`, from its opening to its end."""
    game, source, setup = setup_of(number)
    house, dice = house or House(), random.Random(f"match {number}")
    bots = {seat: dice.choice((0, 0, 1)) for seat in range(setup.seats)} if source == "bots" else {}
    people = [seat for seat in range(setup.seats) if seat not in bots and dice.random() < 0.4]
    seeds = {seat: dice.randbytes(dice.choice((16, 32, 64))) for seat in people}
    match = begun(house, game, setup, f"honest-{number}", bots, seeds)
    if source == "table":
        _follow(house, match, islice(real_match(game, setup, number), most))
    elif bots:
        play_bots(house.service, match, most, seconds=600.0)
    else:
        _play(Table(house, match, dice), most)
    return over(house, match, f"{number} {game} {setup.variant} {setup.seats} {source}")


def _follow(house: House, match: str, turns: Iterator[Any]) -> None:
    """Moves as the people at a real table make them."""
    for number, turn in enumerate(turns):
        if house.service.load_match(match).match.status != "running":
            return
        actor = "reporter:0" if turn.seat == CHANCE else "player"
        house.service.make_move(MoveRequest(match, turn.seat, turn.move, key=f"move{number}", actor=actor))


@dataclass
class Table:
    """A match under way at which chance decides what people do."""

    house: House
    match: str
    dice: random.Random
    asks: int = 0
    quarrels: int = 0

    @property
    def now(self) -> Match:
        return self.house.service.load_match(self.match).match

    def ask(self, what: Move, scope: str) -> CommandResult | None:
        """Business of the table; None if it is refused."""
        self.asks += 1
        with suppress(IllegalMove):
            return self.house.service.execute_command(self.match, what, key=f"ask{self.asks}", scope=scope)
        return None

    def turn(self) -> bool:
        """Somebody moves; False if nobody can."""
        found = self.now
        if found.status != "running" or found.is_halted:
            return False
        state: Any = found.state
        waiting = seats_that_must_act(state)
        if CHANCE in waiting:
            seat, move = CHANCE, self.dice.choice(list(find_legal_moves(state, CHANCE)))
        else:
            seats = sorted(each for each in waiting if each >= 0) or sorted(seats_that_may_act(state) - {CHANCE, CLOCK})
            seat = self.dice.choice(seats)
            sample = sample_legal_move(state, seat, self.dice.randrange)
            assert sample is not None, f"seat {seat} is awaited and has no move"
            move = sample
        self.asks += 1
        actor = "reporter:0" if seat == CHANCE else "player"
        self.house.service.make_move(MoveRequest(self.match, Seat(seat), move, key=f"move{self.asks}", actor=actor))
        return True

    def quarrel(self) -> None:
        """Somebody takes back, or disputes; the others consent, the host rules."""
        version, seats = self.house.service.load_match(self.match).version, range(len(self.now.chairs))
        self.quarrels += 1
        who = self.dice.choice(seats)
        back = max(1, version - self.dice.randint(1, 8))
        if self.dice.random() < 0.5:
            asked = self.ask(RequestTakeback(who, back), f"seat{who}")
            for seat in seats if asked is not None else ():
                if seat != who and asked is not None:
                    self.ask(AnswerTakeback(asked.entry, seat, self.dice.random() < 0.9), f"seat{seat}")
            return
        claim = self.dice.choice(("other", "wrong_count", "illegal_move", "missed_effect"))
        self.ask(OpenDispute(str(who), back, claim, statement="It was not so."), f"seat{who}")
        for _ in range(12):
            if not self.settle():
                return

    def settle(self) -> bool:
        """A step towards the end of an open dispute; False if none is open."""
        dispute = next((each for each in self.now.disputes if each.is_open), None)
        if dispute is None:
            return False
        seat = self.dice.randrange(len(self.now.chairs))
        remedy = random.Random(dispute.number).choice(("leave", "rewind", "rewind"))  # all choose the same
        ways: list[tuple[Move, str]] = [
            (Attest(dispute.number, seat, self.dice.random() < 0.7), f"seat{seat}"),
            (CastVote(dispute.number, seat, remedy), f"seat{seat}"),
            (
                IssueRuling(dispute.number, "host", (), remedy != "leave", remedy, ("TABLE-RULING-4",), "So it is."),
                "host",
            ),
        ]
        if all(self.ask(*way) is None for way in ways):
            self.ask(WithdrawDispute(dispute.number, dispute.by), f"seat{dispute.by}")
        return True


def _play(table: Table, most: int) -> None:
    """Play to the end; some quarrel, and some of those once more when it is over, so that it may go on behind it."""
    quarrelsome = table.dice.random() < 0.6
    for _ in range(most):
        if not table.turn():
            if table.now.status == "running" and table.settle():
                continue
            if not quarrelsome or table.quarrels > QUARRELS:
                return
            table.quarrels = QUARRELS
            table.quarrel()
            if table.now.status != "running":
                return
        elif quarrelsome and table.quarrels < QUARRELS and table.dice.random() < 0.05:
            table.quarrel()

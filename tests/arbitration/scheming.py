"""A schemer who sits at seat 0 and hosts the match, among honest people: tries all commands, in any order."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from referee.engine.codec import encode
from referee.engine.events import Move
from referee.engine.rulings import IllegalMove, MalformedInput, Undetermined
from referee.engine.seats import CHANCE
from referee.eventstore.memory.log import MemoryLog
from referee.match.aggregate import Match
from referee.match.bots import substitution as bot_substitution
from referee.match.entries import effective_entries
from referee.match.events.deviation_events import AnswerDeviation, RecordDeviation
from referee.match.events.dispute_commands import (
    AppealRuling,
    Attest,
    CastVote,
    InspectCards,
    IssueRuling,
    OpenDispute,
    WithdrawDispute,
)
from referee.match.events.dispute_state import CLAIMS, REMEDIES, CourtSettings
from referee.match.events.ending_events import AnswerEnd, EndMatch
from referee.match.events.office_events import AnswerOfficial, NameOfficial
from referee.match.events.report_events import CorrectReport
from referee.match.events.takeback_events import AnswerTakeback, RequestTakeback
from referee.queries.dispute_actions import list_pending_requests
from tests.arbitration.playing import plays, started

REFUSALS = (IllegalMove, MalformedInput, Undetermined)


@dataclass
class Scheme:
    """A match in which the schemer tries commands, and those that were granted."""

    game: str
    seed: int
    courts: CourtSettings
    source: str = "server"
    done: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.dice = random.Random(f"{self.game}-{self.seed}")
        self.house, self.match = started(
            self.game, self.source, courts=self.courts, key=f"scheme-{self.seed}", official=""
        )
        self.keys = 0

    @property
    def now(self) -> Match:
        return self.house.load_match(self.match).match

    def ask(self, command: Move, scope: str) -> bool:
        """A command of the table; False if it is refused."""
        self.keys += 1
        with suppress(*REFUSALS):
            self.house.execute_command(self.match, command, key=f"ask{self.keys}", scope=scope)
            return True
        return False

    def run(self, rounds: int = 25) -> list[str]:
        """Play and scheme; each gain by procedure, with the command that brought it."""
        for number in range(rounds):
            if self.now.status != "running":
                break
            if not self.now.is_halted:
                plays(self.house, self.match, number, self.dice.randrange(1, 4))
            if self.now.status != "running":
                break
            for _ in range(3):
                before = self.list_protected_entries()
                command = self.think()
                if self.ask(command, "seat0"):
                    self.done.append(command.TAG)
                self.answer()
                if lost := before - self.list_protected_entries():
                    return [f"{command}: {sorted(lost)} no longer count"]
                if self.now.status != "running":
                    return [f"{command}: the match is {self.now.status}"]
        return []

    def list_protected_entries(self) -> set[int]:
        """The entries that nobody but their makers, or nobody at all, may take back: draws, and moves of others."""
        entries = self.house.repository.load_entries(self.match)
        return {
            entry.version
            for entry in effective_entries(entries)
            if (entry.seat == CHANCE and entry.reporter != "0") or entry.seat > 0
        }

    def answer(self) -> None:
        """Honest people say what is so: that all was played by the rules, and shall stand."""
        for seat in range(1, len(self.now.chairs)):
            for asked in list_pending_requests(self.now, seat):
                said: Move | None = {
                    "asked.attestations": Attest(asked.about, seat, False),
                    "asked.votes": CastVote(asked.about, seat, "leave"),
                    "asked.takeback": AnswerTakeback(asked.about, seat, False),
                    "asked.deviation": AnswerDeviation(asked.about, False, (seat,)),
                    "asked.end.agreed": AnswerEnd(asked.about, False, (seat,)),
                    "asked.end.abandoned": AnswerEnd(asked.about, False, (seat,)),
                    "asked.official.host": AnswerOfficial(asked.about, False, (seat,)),
                    "asked.official.arbiter": AnswerOfficial(asked.about, False, (seat,)),
                    "asked.bot": bot_substitution.AnswerBot(asked.about, False, (seat,), self.find_bot_question()),
                }.get(asked.what)
                if said is not None:
                    self.ask(said, f"seat{seat}")
        if self.dice.random() < 0.3:
            assert isinstance(self.house.log, MemoryLog)
            self.house.log.advance_clock(self.dice.choice((1_000, 130_000, 1_000_000)))

    def find_bot_question(self) -> int:
        """The number of the open question about a bot."""
        return next((each.number for each in self.now.proposals), 0)

    def think(self) -> Move:
        """Any command that a host who plays may send, about anything."""
        dice, now = self.dice, self.now
        version = self.house.load_match(self.match).version
        about = dice.randrange(max(1, version - 12), version + 1)
        entry = self.house.repository.load_entries(self.match, about - 1, about)[0]
        move = encode(entry.move) if entry.move is not None and not entry.move.TAG.startswith("table.") else None
        number = dice.choice([each.number for each in now.disputes] or [1])
        remedy, by = dice.choice(REMEDIES), dice.choice(("host", "arbiter"))
        fix = () if dice.random() < 0.7 else ({"set": "/turn", "to": 0},)
        seats = dice.choice(((), (0,)))
        clause = ("KERNEL-MOVE-1",)
        dispute = OpenDispute(dice.choice(("0", "host")), about, dice.choice(CLAIMS), "", move, None, "Cocked die.")
        ways: list[tuple[int, Move]] = [
            (4, dispute),
            (2, Attest(number, 0, True)),
            (3, CastVote(number, 0, remedy, fix)),
            (3, AppealRuling(number, 0, "KERNEL-MOVE-1", "Not so.")),
            (5, IssueRuling(number, by, seats, True, remedy, clause, "So be it.", fix, confirmed=True)),
            (1, WithdrawDispute(number, "0")),
            (1, InspectCards(number)),
            (3, RequestTakeback(0, about)),
            (1, CorrectReport(about, (0,), True, move)),
            (1, RecordDeviation("host", seats, dice.randrange(len(now.chairs)), move, clause, "It happened.")),
            (1, EndMatch(dice.choice(("agreed", "abandoned")), self.placement(), "0", (0,))),
            (1, NameOfficial(by, dice.choice("abc"), seats)),
            (2, AnswerOfficial(dice.choice([each.number for each in now.officials] or [1]), True, (0,))),
            (1, bot_substitution.SeatBot(1, 0, (0,))),
        ]
        weights, chosen = zip(*ways, strict=True)
        return dice.choices(chosen, weights)[0]

    def placement(self) -> tuple[tuple[int, ...], ...]:
        """Seat 0 wins."""
        return tuple((seat,) for seat in range(len(self.now.chairs)))


def find_gains(game: str, courts: CourtSettings, seeds: range, source: str = "server") -> tuple[list[Any], list[str]]:
    """All gains by procedure in these matches, and the kinds of commands that were granted."""
    schemes = [Scheme(game, seed, courts, source) for seed in seeds]
    gains = [gain for scheme in schemes for gain in scheme.run()]
    return gains, [tag for scheme in schemes for tag in scheme.done]

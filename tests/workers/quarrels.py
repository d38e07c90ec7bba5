"""Quarrels in matches of any game: what seats, the host, an arbiter and time do with disputes, by chance."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any
from unittest.mock import patch

from referee import games as boxes
from referee.engine.chance import RollResult
from referee.engine.codec import encode
from referee.engine.events import Event, Move
from referee.engine.referee import find_legal_moves, sample_legal_move, seats_that_must_act
from referee.engine.rulings import IllegalMove, MalformedInput, Undetermined
from referee.engine.seats import BYSTANDER, CHANCE, Seat
from referee.match.aggregate import FINAL_STATUSES, MatchOpened, MatchRewound, SeatAssignment
from referee.match.errors import MoveRejected, VersionConflict
from referee.match.events.dispute_commands import (
    AppealRuling,
    Attest,
    CastVote,
    IssueRuling,
    OpenDispute,
    WithdrawDispute,
)
from referee.match.events.dispute_events import RulingIssued, TableCorrected
from referee.match.events.dispute_state import AS_IT_LIES, CLAIMS, IMPOSSIBLE_TABLE, REMEDIES, CourtSettings
from referee.match.events.takeback_events import AnswerTakeback, RequestTakeback
from referee.match.table import commands
from referee.service.match_service import MatchService
from referee.service.requests import MoveRequest

PLAY_ON = CourtSettings(play_on=True, answer_ms=4000)
HALTING = CourtSettings(answer_ms=4000)
OLD_CLAIMS = tuple(each for each in CLAIMS if each != IMPOSSIBLE_TABLE)
OLD_REMEDIES = tuple(each for each in REMEDIES if each != AS_IT_LIES)  # courts of the first edition have these
CARRIED = ("partial_fix", "rewind", "void")  # what changes the match


def quarrelling(
    at: MatchService,
    key: str,
    courts: CourtSettings,
    kinds: tuple[str, ...] = ("human",) * 3,
    game: str = "toy",
    delay: int = 0,
    dice: str = "table",
    **clocks: Any,
) -> str:
    """A public match that has begun, with these courts; its dice lie on the table unless told otherwise. Its id."""
    opening, box = commands.decide_opening, boxes.load_games()[game]

    def with_courts(*given: Any) -> tuple[Event, ...]:
        events = opening(*given)
        return tuple(replace(each, courts=courts) if isinstance(each, MatchOpened) else each for each in events)

    chairs, timing = tuple(map(SeatAssignment, kinds)), commands.Clocks(**clocks)
    chance = {"dice": dice} if "dice" in box.devices else {}
    ask = commands.OpenMatch(game, box.variants[0], {}, chance, chairs, "public", delay, timing, official="somebody")
    with patch.object(commands, "decide_opening", with_courts):
        match = at.open_match(ask, f"{key}-of-a-quarrelling-match").match.id
    for seat, kind in enumerate(kinds):
        if kind == "human":
            at.execute_command(match, commands.TakeSeat(seat), key=f"{key}-{seat}", scope="join")
    at.execute_command(match, commands.StartMatch(), key="start", scope="host")
    return match


def step(at: MatchService, match: str, dice: random.Random, key: str) -> bool:
    """One move of somebody who is awaited, or a report of what fell; whether somebody was."""
    now = at.load_match(match).match
    if now.status in FINAL_STATUSES or now.is_halted or now.state is None:
        return False
    state: Any = now.state
    waiting = seats_that_must_act(state)
    if CHANCE in waiting:
        by = dice.randrange(len(now.chairs))
        fell = dice.choice(list(find_legal_moves(state, CHANCE)))
        at.make_move(MoveRequest(match, CHANCE, fell, key=key, scope=f"seat{by}", actor=f"reporter:{by}"))
        return True
    seat = Seat(dice.choice(sorted(seat for seat in waiting if seat >= 0)))
    move = sample_legal_move(state, seat, dice.randrange)
    assert move is not None
    at.make_move(MoveRequest(match, seat, move, key=key))
    return True


class Quarrel:
    """Somebody does something, by chance, again and again. `did` counts what was done, and not only tried."""

    def __init__(self, at: MatchService, match: str, seed: int) -> None:
        self.at, self.match, self.dice = at, match, random.Random(f"quarrel {seed}")
        self.did: Counter[str] = Counter()
        self.number = 0

    def on(self, times: int) -> None:
        """So many times."""
        for _ in range(times):
            self.number += 1
            what = self.dice.choice((self._play,) * 7 + (self._court,) * 5 + (self._by_hand, self._late))
            what()

    def settle(self) -> None:
        """An arbiter lets stand whatever is still open."""
        for dispute in self.at.load_match(self.match).match.disputes:
            if dispute.is_open and any(now.is_open and now.number == dispute.number for now in self._disputes()):
                self._asked(IssueRuling(dispute.number, "host", (), False, "leave", ("TABLE-RULING-4",), "let it be"))

    def _disputes(self) -> Any:
        return self.at.load_match(self.match).match.disputes

    def _play(self) -> None:
        self.did["move"] += step(self.at, self.match, self.dice, f"{self.number}")

    def _late(self) -> None:
        self.at.log.advance_clock(self.dice.choice((900, 4100)))  # type: ignore[attr-defined]
        before = self.at.log.read(self.match, limit=0).head
        self.did["late"] += self.at.load_match(self.match).version > before.version  # type: ignore[union-attr]

    def _court(self) -> None:
        now, dice = self.at.load_match(self.match), self.dice
        seat = dice.randrange(len(now.match.chairs))
        alive = [each.number for each in now.match.disputes if each.is_open] or [
            each.number for each in now.match.disputes
        ]
        number = dice.choice(alive) if alive else 0
        about, claim = max(1, now.version - dice.randrange(8)), dice.choice(OLD_CLAIMS)
        rolls = [
            each.version for each in self.at.build_evidence(now).effective_entries if isinstance(each.move, RollResult)
        ]
        if rolls and dice.random() < 0.5:
            about, claim = dice.choice(rolls), "misreported"
        order = dice.choice((*OLD_REMEDIES[:-1] * 2, "void"))
        pips = encode(RollResult((dice.randint(1, 6),)))
        stage = next((each.stage for each in now.match.disputes if each.number == number), "")
        fits = {"attesting": 1, "voting": 2, "ruling": 3}.get(stage, 0)
        move = pips if claim in ("misreported", "wrong_refusal") else None
        asks: list[Move] = [
            OpenDispute(str(seat), about, claim, move=move),
            Attest(number, seat, dice.random() < 0.8),
            CastVote(number, seat, dice.choice(OLD_REMEDIES)),
            IssueRuling(number, "host", (), True, order, ("TABLE-RULING-4",), "so be it", confirmed=True),
            AppealRuling(number, seat, "KERNEL-TURN-1", "no"),
            WithdrawDispute(number, next((each.by for each in now.match.disputes if each.number == number), "0")),
        ]
        asked = [each.number for each in now.match.takebacks if each.stage == "asked"]
        if dice.random() < 0.2:
            to = max(1, now.version - dice.randrange(6))
            take = RequestTakeback(seat, to) if not asked else AnswerTakeback(asked[-1], seat, dice.random() < 0.8)
            self._asked(take)
            return
        carried = [e.number for e in now.match.disputes if e.court == "table" and e.verdicts[-1].remedy in CARRIED]
        if carried and dice.random() < 0.4:
            undo = IssueRuling(carried[-1], "host", (), False, "restore", ("TABLE-REMEDY-5",), "it was right")
            self._asked(undo)
            return
        self._asked(asks[fits] if dice.random() < 0.75 else dice.choices(asks, (6, 2, 2, 2, 2, 1))[0])

    def _asked(self, ask: Move) -> None:
        try:
            done = self.at.execute_command(self.match, ask, key=f"ask-{self.number}-{ask.TAG}", scope="court")
        except (IllegalMove, MalformedInput, Undetermined, VersionConflict, MoveRejected):
            self.did["refused"] += 1
            return
        (entry,) = self.at.repository.load_entries(self.match, done.entry - 1, done.entry)
        self.did.update(event.TAG for event in entry.events)

    def _by_hand(self) -> None:
        """A table put right by hand, or back, as a ruling does it."""
        now = self.at.load_match(self.match)
        if now.match.status in FINAL_STATUSES or now.match.state is None or self.dice.random() < 0.5:
            return
        began = self.at.build_evidence(now).start_version
        other = self.at.load_version(now, self.dice.randint(began, now.version)).match
        remedy: Event = MatchRewound(self.dice.randint(began, now.version))
        if other.status not in FINAL_STATUSES and self.dice.random() < 0.5:
            remedy = TableCorrected(other.game, encode(other.state), ("everything",))
        key = f"court:by-hand-{self.number}"
        self.at.appender.append_entry(now, BYSTANDER, "table", commands.StartMatch(), (remedy,), key, b"x")
        self.at.recover_match(self.match)
        self.did[remedy.TAG] += 1


def ruled(at: MatchService, match: str) -> list[RulingIssued]:
    """All rulings of a match."""
    return [
        event
        for entry in at.repository.load_entries(match)
        for event in entry.events
        if isinstance(event, RulingIssued)
    ]

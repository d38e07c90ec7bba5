"""Quarrels in matches of any game: what seats, the host, an arbiter and time do with disputes, by chance."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any
from unittest.mock import patch

from referee import games as boxes
from referee.engine.chance import Rolled
from referee.engine.codec import encode
from referee.engine.events import Event, Move
from referee.engine.game import Malformed
from referee.engine.referee import awaited, legal, sampled
from referee.engine.rulings import Refused, Unknown
from referee.engine.seats import BYSTANDER, CHANCE, Seat
from referee.match.aggregate import OVER, Chair, MatchOpened, Rewound
from referee.match.errors import Behind, IllegalMove
from referee.match.events.dispute_commands import Appeal, Attest, CastVote, OpenDispute, Rule, WithdrawDispute
from referee.match.events.dispute_events import Corrected, RulingIssued
from referee.match.events.dispute_state import CLAIMS, REMEDIES, Courts
from referee.match.events.takeback_events import Consent, TakeBack
from referee.match.table import commands
from referee.service.match_service import Desk

PLAY_ON = Courts(play_on=True, answer_ms=4000)
HALTING = Courts(answer_ms=4000)
CARRIED = ("partial_fix", "rewind", "void")  # what changes the match


def quarrelling(
    at: Desk,
    key: str,
    courts: Courts,
    kinds: tuple[str, ...] = ("human",) * 3,
    game: str = "toy",
    delay: int = 0,
    dice: str = "table",
    **clocks: Any,
) -> str:
    """A public match that has begun, with these courts; its dice lie on the table unless told otherwise. Its id."""
    opening, box = commands.opening, boxes.games()[game]

    def with_courts(*given: Any) -> tuple[Event, ...]:
        (fact,) = opening(*given)
        assert isinstance(fact, MatchOpened)
        return (replace(fact, courts=courts),)

    chairs, timing = tuple(map(Chair, kinds)), commands.Clocks(**clocks)
    chance = {"dice": dice} if "dice" in box.devices else {}
    ask = commands.Open(game, box.variants[0], {}, chance, chairs, "public", delay, timing)
    with patch.object(commands, "opening", with_courts):
        match = at.open(ask, f"{key}-of-a-quarrelling-match").match.id
    for seat, kind in enumerate(kinds):
        if kind == "human":
            at.business(match, commands.TakeSeat(seat), key=f"{key}-{seat}", scope="join")
    at.business(match, commands.Start(), key="start", scope="host")
    return match


def step(at: Desk, match: str, dice: random.Random, key: str) -> bool:
    """One move of somebody who is awaited, or a report of what fell; whether somebody was."""
    now = at.load(match).match
    if now.status in OVER or now.halted or now.state is None:
        return False
    state: Any = now.state
    waiting = awaited(state)
    if CHANCE in waiting:
        by = dice.randrange(len(now.chairs))
        fell = dice.choice(list(legal(state, CHANCE)))
        at.move(match, CHANCE, fell, key=key, scope=f"seat{by}", actor=f"reporter:{by}")
        return True
    seat = Seat(dice.choice(sorted(seat for seat in waiting if seat >= 0)))
    move = sampled(state, seat, dice.randrange)
    assert move is not None
    at.move(match, seat, move, key=key)
    return True


class Quarrel:
    """Somebody does something, by chance, again and again. `did` counts what was done, and not only tried."""

    def __init__(self, at: Desk, match: str, seed: int) -> None:
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
        for dispute in self.at.load(self.match).match.disputes:
            if dispute.open and any(now.open and now.number == dispute.number for now in self._disputes()):
                self._asked(Rule(dispute.number, "arbiter", (), False, "leave", ("TABLE-RULING-4",), "let it be"))

    def _disputes(self) -> Any:
        return self.at.load(self.match).match.disputes

    def _play(self) -> None:
        self.did["move"] += step(self.at, self.match, self.dice, f"{self.number}")

    def _late(self) -> None:
        self.at.log.advance(self.dice.choice((900, 4100)))  # type: ignore[attr-defined]
        before = self.at.log.read(self.match, limit=0).head
        self.did["late"] += self.at.load(self.match).version > before.version  # type: ignore[union-attr]

    def _court(self) -> None:
        now, dice = self.at.load(self.match), self.dice
        seat = dice.randrange(len(now.match.chairs))
        alive = [each.number for each in now.match.disputes if each.open] or [
            each.number for each in now.match.disputes
        ]
        number = dice.choice(alive) if alive else 0
        about, claim = max(1, now.version - dice.randrange(8)), dice.choice(CLAIMS)
        rolls = [each.version for each in self.at.evidence(now).course if isinstance(each.move, Rolled)]
        if rolls and dice.random() < 0.5:
            about, claim = dice.choice(rolls), "misreported"
        order = dice.choice((*REMEDIES[:-1] * 2, "void"))
        pips = encode(Rolled((dice.randint(1, 6),)))
        stage = next((each.stage for each in now.match.disputes if each.number == number), "")
        fits = {"attesting": 1, "voting": 2, "ruling": 3}.get(stage, 0)
        move = pips if claim in ("misreported", "wrong_refusal") else None
        asks: list[Move] = [
            OpenDispute(str(seat), about, claim, move=move),
            Attest(number, seat, dice.random() < 0.8),
            CastVote(number, seat, dice.choice(REMEDIES)),
            Rule(number, "arbiter", (), True, order, ("TABLE-RULING-4",), "so be it"),
            Appeal(number, seat, "KERNEL-TURN-1", "no"),
            WithdrawDispute(number, next((each.by for each in now.match.disputes if each.number == number), "0")),
        ]
        asked = [each.number for each in now.match.takebacks if each.stage == "asked"]
        if dice.random() < 0.2:
            to = max(1, now.version - dice.randrange(6))
            take = TakeBack(seat, to) if not asked else Consent(asked[-1], seat, dice.random() < 0.8)
            self._asked(take)
            return
        carried = [e.number for e in now.match.disputes if e.court == "table" and e.verdicts[-1].remedy in CARRIED]
        if carried and dice.random() < 0.4:
            undo = Rule(carried[-1], "arbiter", (), False, "restore", ("TABLE-REMEDY-5",), "it was right")
            self._asked(undo)
            return
        self._asked(asks[fits] if dice.random() < 0.75 else dice.choices(asks, (6, 2, 2, 2, 2, 1))[0])

    def _asked(self, ask: Move) -> None:
        try:
            done = self.at.business(self.match, ask, key=f"ask-{self.number}-{ask.TAG}", scope="court")
        except (Refused, Malformed, Unknown, Behind, IllegalMove):
            self.did["refused"] += 1
            return
        (entry,) = self.at.entries(self.match, done.entry - 1, done.entry)
        self.did.update(fact.TAG for fact in entry.facts)

    def _by_hand(self) -> None:
        """A table put right by hand, or back, as a ruling does it."""
        now = self.at.load(self.match)
        if now.match.status in OVER or now.match.state is None or self.dice.random() < 0.5:
            return
        began = self.at.evidence(now).began
        other = self.at.at(now, self.dice.randint(began, now.version)).match
        remedy: Event = Rewound(self.dice.randint(began, now.version))
        if other.status not in OVER and self.dice.random() < 0.5:
            remedy = Corrected(other.game, encode(other.state), ("everything",))
        key = f"court:by-hand-{self.number}"
        self.at._append(now, BYSTANDER, "table", commands.Start(), (remedy,), key, b"x")
        self.at.heal(self.match)
        self.did[remedy.TAG] += 1


def ruled(at: Desk, match: str) -> list[RulingIssued]:
    """All rulings of a match."""
    return [fact for entry in at.entries(match) for fact in entry.facts if isinstance(fact, RulingIssued)]

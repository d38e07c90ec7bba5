"""The desk: load, decide, append. Everything that is written goes through here, by players and by workers alike."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from referee.desk import business
from referee.desk.entries import Logged, Salt, asked_anew, folded, of_chairs, pack, thinking, unpack
from referee.desk.errors import Away, Behind, IllegalMove, KeyReused, UnknownMatch, UnknownVersion
from referee.desk.matches import OVER, Ended, Match, Rewound, happened
from referee.desk.reading import Loaded, Reader
from referee.games import games
from referee.kernel.agenda import Cleared
from referee.kernel.chance import Below
from referee.kernel.codec import canonical, encode
from referee.kernel.facts import Event, Move
from referee.kernel.play import awaited, drawn, granting, nearest, play
from referee.kernel.rulings import Refused
from referee.kernel.seats import BYSTANDER, CHANCE, CLOCK, Seat
from referee.kernel.windows import TimedOut
from referee.store.base import Answer, Commit, Head, MatchLog, partition_of
from referee.store.ledger import extended, leaf_hash, root_of

__all__ = [
    "Away", "Behind", "Desk", "Done", "Draws", "IllegalMove", "KeyReused", "Loaded", "UnknownMatch", "UnknownVersion",
]  # fmt: skip

TRIES = 4  # a first decision and three more (architecture: thrice at most)


class Draws(Protocol):
    """The server's chance: committed to when a match opens, disclosed at its end."""

    def commitment(self, match: str) -> str: ...
    def source(self, match: str, version: int, purpose: str) -> Below: ...
    def salt(self, match: str, version: int, who: str) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a write: its entry, the version after what followed by itself, who is awaited, the receipt."""

    entry: int
    version: int
    match: Match
    receipt: str
    replayed: bool


class Desk(Reader):
    """Takes moves and table business, answers with receipts.

    `sign(match, size, root)` gives a receipt; `wake(partition)` tells the workers; `identify(key)` makes the id of a
    new match from the key of the opening request, so that a repeated opening finds its match.
    """

    def __init__(
        self,
        log: MatchLog,
        draws: Draws,
        sign: Callable[[str, int, bytes], str],
        wake: Callable[[int], None],
        identify: Callable[[str], str],
    ) -> None:
        super().__init__(log)
        self.draws, self.sign, self.wake, self.identify = draws, sign, wake, identify
        self._salt: Salt = draws.salt

    # -- reading ---------------------------------------------------------------------------------------------------

    def load(self, match: str, key: str = "", grant: str = "") -> Loaded:
        """The match as it stands; deadlines that have passed are played first. Raises UnknownMatch."""
        while True:
            loaded = self._read(match, key, grant)
            due = loaded.reading.due
            if due is None or due.at_ms > loaded.reading.now_ms or not _ticking(loaded.match):
                return loaded
            try:
                self._move(match, CLOCK, TimedOut(), f"clock:{loaded.head.asked}", "clock", None, None, loaded)
            except (Behind, IllegalMove):
                if self._read(match).version == loaded.version:
                    raise  # nobody was quicker: the game refuses its own clock
                # an answer came in at the same instant; look again

    def at(self, match: str, version: int | None) -> Loaded:
        """The match as it stood at a version (None: now). Raises UnknownMatch, UnknownVersion."""
        loaded = self.load(match)
        if version is None or version == loaded.version:
            return loaded
        if not 1 <= version < loaded.version:
            raise UnknownVersion(version)
        return Loaded(folded(Match(), self._all(match, version)), version, loaded.head, loaded.reading)

    # -- writing ---------------------------------------------------------------------------------------------------

    def open(self, ask: business.Open, key: str) -> Done:
        """Opens a table. Raises Malformed where the game does not allow it, KeyReused, Away."""
        match, hashed = self.identify(key), _hash(ask)
        facts = business.opening(match, self.draws.commitment(match), ask, games()[ask.game])
        loaded = Loaded(Match(), 0, Head(0, b"", (), "open", 0, "", ""), self.log.read(match, limit=0))
        known = self.log.read(match, limit=0, key=f"open:{key}").known
        if known is None:
            answer, after = self._append(loaded, BYSTANDER, "table", ask, facts, f"open:{key}", hashed)
            if after is not None:
                return self._fresh(after, after)
            if answer is Answer.REUSED:
                raise KeyReused(key)
        elif known.ask != hashed:
            raise KeyReused(key)
        return self._again(match, 1)

    def business(
        self, match: str, ask: Move, *, key: str, scope: str, actor: str = "table", strict: int | None = None
    ) -> Done:
        """Table business. Raises Refused (TABLE-*), Malformed, KeyReused, Behind, UnknownMatch, Away."""
        hashed, named = _hash(ask), f"{scope}:{key}"
        for _ in range(TRIES):
            loaded = self.load(match, named)
            if (replay := self._replayed(loaded, hashed)) is not None:
                return replay
            if strict is not None and strict != loaded.version:
                raise Behind(strict, loaded.version, True)
            facts = business.decided(loaded.match, ask)
            answer, after = self._append(loaded, BYSTANDER, actor, ask, facts, named, hashed)
            if after is not None:
                return self._fresh(after, self._drawn(after))
            if answer is Answer.REUSED:
                raise KeyReused(key)
        raise Behind(loaded.version, self.load(match).version, False)

    def move(
        self,
        match: str,
        seat: Seat,
        move: Move,
        *,
        key: str,
        scope: str = "",
        actor: str = "player",
        seen: int | None = None,
        strict: int | None = None,
    ) -> Done:
        """A move of a seat, and whatever chance adds to it.

        `seen` is the version the seat looked at: if the log has moved on, the move stands only where nothing since
        asked anew and none of it was this seat's. `strict` insists on a version. Raises IllegalMove, Refused (TABLE-*:
        match not running), Behind, KeyReused, UnknownMatch, Away.
        """
        loaded = self.load(match, f"{scope or f'seat{seat}'}:{key}")
        return self._move(match, seat, move, f"{scope or f'seat{seat}'}:{key}", actor, seen, strict, loaded)

    def _move(
        self,
        match: str,
        seat: Seat,
        move: Move,
        named: str,
        actor: str,
        seen: int | None,
        strict: int | None,
        loaded: Loaded,
    ) -> Done:
        hashed = _hash(move, seat, seen)
        for attempt in range(TRIES):
            if attempt:
                loaded = self.load(match, named) if seat != CLOCK else self._read(match, named)
            if (replay := self._replayed(loaded, hashed)) is not None:
                return replay
            if strict is not None and strict != loaded.version:
                raise Behind(strict, loaded.version, True)
            self._crossing(loaded, seat, seen)
            if actor == "reporter":
                self.reportable(loaded.match)
            facts = self._decided(loaded, seat, move)
            answer, after = self._append(loaded, seat, actor, move, facts, named, hashed)
            if after is not None:
                return self._fresh(after, self._drawn(after))
            if answer is Answer.REUSED:
                raise KeyReused(named)
            seen = loaded.version if seen is None else seen
        raise Behind(seen or 0, self.load(match).version, False)

    def _crossing(self, loaded: Loaded, seat: Seat, seen: int | None) -> None:
        if seen is None or seen == loaded.version:
            return
        if seen > loaded.version or loaded.head.asked > seen:
            raise Behind(seen, loaded.version, False)
        if any(entry.seat == seat for entry in self.entries(loaded.match.id, seen, loaded.version)):
            raise Behind(seen, loaded.version, False)

    def _decided(self, loaded: Loaded, seat: Seat, move: Move) -> tuple[Event, ...]:
        match = loaded.match
        self.running(match)
        assert match.state is not None
        try:
            facts = play(match.state, seat, move)
        except Refused as refused:
            ways = nearest(match.state, seat, move)
            raise IllegalMove(refused.ruling, ways, loaded.version, match) from refused
        return (*facts, *_ended(match, facts))

    def reportable(self, match: Match) -> None:
        """Raises Refused unless what chance is awaited for lies on a real table."""
        self.running(match)
        assert match.state is not None
        if CHANCE not in awaited(match.state):
            return  # then the rules refuse the report
        if not match.setup.at_table(getattr(match.state.agenda[-1], "device", "")):
            raise Refused("server_draws", "TABLE-REPORT-1")

    def running(self, match: Match) -> None:
        """Raises Refused unless the match is being played."""
        if match.status in OVER:
            raise Refused("match_over", "TABLE-END-1")
        if match.state is None:
            raise Refused("not_running", "TABLE-START-1")

    def _replayed(self, loaded: Loaded, hashed: bytes) -> Done | None:
        known = loaded.reading.known
        if known is None:
            return None
        if known.ask != hashed:
            raise KeyReused
        return self._again(loaded.match.id, known.version)

    def _append(
        self, loaded: Loaded, seat: int, actor: str, move: Move, facts: tuple[Event, ...], key: str, ask: bytes
    ) -> tuple[Answer, Loaded | None]:
        """Writes one entry: the answer OK and the match after it, or DUP, REUSED or CONFLICT. Raises Away."""
        after = loaded.match
        for fact in facts:
            if isinstance(fact, Rewound):
                standing = (entry for entry in self._all(after.id, loaded.version))
                after = folded(Match(), (entry for entry in standing if entry.version <= fact.to or of_chairs(entry)))
            after = happened(after, fact)
        before = loaded.match.state
        rests = tuple(dict.fromkeys(clause for fact in facts for clause in fact.rests_on()))
        cited = granting(before, move, facts) if before else rests
        logged = Logged(
            after.id, loaded.version + 1, loaded.reading.now_ms, seat, actor, move, facts, cited, b""
        )
        envelope, sealed = pack(after, logged, self._salt)
        frontier = extended(loaded.head.frontier, loaded.version, leaf_hash(envelope))
        state = after.state
        commit = Commit(
            match=after.id,
            version=logged.version,
            envelope=envelope,
            sealed=sealed,
            root=root_of(frontier, logged.version),
            frontier=frontier,
            was_root=loaded.head.root,
            key=key,
            ask=ask,
            asked_anew=asked_anew(before, state, facts),
            question=state.agenda[-1].question() if state and state.agenda else "",
            edition=after.edition,
            thinking_ms=thinking(state) if _ticking(after) else None,
        )
        appended = self.log.append(commit)
        if appended.answer is Answer.OK:
            self._keep(after.id, commit.version, commit.root, after)
            if appended.wake:
                self.wake(partition_of(after.id))
            asked = commit.version if commit.asked_anew else loaded.head.asked
            head = Head(commit.version, commit.root, frontier, "open", asked, commit.question, commit.edition)
            return Answer.OK, Loaded(after, commit.version, head, loaded.reading)
        if appended.answer not in (Answer.DUP, Answer.REUSED, Answer.CONFLICT):
            raise Away(appended.answer.value.lower())
        return appended.answer, None

    def _drawn(self, loaded: Loaded) -> Loaded:
        """Lets chance move as long as it is awaited and the server holds what is drawn; the match after that."""
        while True:
            state = loaded.match.state
            if loaded.match.status in OVER or state is None or CHANCE not in awaited(state):
                return loaded
            top = state.agenda[-1]
            if loaded.match.chance.get(getattr(top, "device", ""), "server") == "table":
                return loaded
            version = loaded.version + 1
            outcome = drawn(state, self.draws.source(loaded.match.id, version, top.question()))
            facts = self._decided(loaded, CHANCE, outcome)
            _, after = self._append(loaded, CHANCE, "chance", outcome, facts, f"chance:{version}", b"")
            loaded = after if after is not None else self.load(loaded.match.id)

    def heal(self, match: str) -> None:
        """Goes on with a match whose desk died between a move and its draw. Raises UnknownMatch."""
        self._drawn(self.load(match))

    def _fresh(self, written: Loaded, after: Loaded) -> Done:
        receipt = self.sign(written.match.id, written.version, written.head.root)
        return Done(written.version, after.version, after.match, receipt, False)

    def _again(self, match: str, entry: int) -> Done:
        """The answer that a write got, once more: its entry, and the version after what chance added to it."""
        stored, *later = self.log.entries(match, entry - 1, 100)
        version = entry
        for following in later:
            if unpack(following).actor != "chance":
                break
            version = following.version
        return Done(entry, version, self.at(match, version).match, self.sign(match, entry, stored.root), True)


def _ticking(match: Match) -> bool:
    """Whether a deadline of this match still means anything."""
    return match.status not in OVER and match.state is not None and CLOCK in awaited(match.state)


def _ended(match: Match, facts: tuple[Event, ...]) -> tuple[Event, ...]:
    """The table's own fact where the game's facts end the match, and nothing is pending any more."""
    after = match
    for fact in facts:
        after = happened(after, fact)
    outcome = match.rules.outcome(after.state)
    if outcome is None:
        return ()
    assert after.state is not None
    cleared: tuple[Event, ...] = (Cleared(),) if after.state.agenda else ()
    ended = Ended("finished", outcome.reason, outcome.winners, outcome.placement, outcome.clauses)
    return (*cleared, ended)


def _hash(ask: Move, seat: int = BYSTANDER, seen: int | None = None) -> bytes:
    return hashlib.sha256(canonical({"ask": encode(ask), "seat": seat, "seen": seen})).digest()

"""How an entry is written, and what follows it by itself: what chance gives, and the passes that seats let stand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from referee.engine.chance import Below
from referee.engine.events import Event, Move
from referee.engine.referee import awaited, drawn, judge, nearest, view
from referee.engine.rulings import Refused, Unknown
from referee.engine.seats import CHANCE, Seat
from referee.eventstore.contract import Answer, Appended, Commit, Head, MatchLog, partition_of
from referee.match.aggregate import OVER, GoesBack, Match, happened
from referee.match.clocks import called, over_time, time_left
from referee.match.entries import Logged, Salt, asked_anew, course, folded, pack
from referee.match.errors import Away, IllegalMove
from referee.match.game_moves import after_all, cited, moved, playable
from referee.match.loaded import Loaded
from referee.match.table import auto_pass
from referee.match.table.auto_pass import Passing
from referee.match.table.player_entropy import seed_bytes
from referee.match.table.rekey import ChanceRenewed, renews
from referee.repository.matches import SNAPSHOT_EVERY, Reader
from referee.repository.window_index import Windows
from referee.transparency.merkle import extended, leaf_hash, root_of

ENDLESS = 1000  # passes in a row; windows that open each other for ever go round in circles


class Draws(Protocol):
    """The server's chance: committed to when a match opens, disclosed at its end; a new generation goes on from there
    if play goes back behind it (TABLE-CHANCE-1)."""

    def secret(self, match: str, generation: int = 0) -> bytes: ...
    def commitment(self, match: str, generation: int = 0) -> str: ...
    def source(self, match: str, generation: int, version: int, purpose: str, seeds: bytes = b"") -> Below: ...
    def salt(self, match: str, generation: int, version: int, who: str) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Made:
    """An entry that is to be written: the commit, the entry itself, and the match after it."""

    commit: Commit
    logged: Logged
    after: Match


class Writer(Reader):
    """Writes entries to the logs of matches.

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
        self.windows = Windows(self)

    def _decided(self, loaded: Loaded, seat: Seat, move: Move) -> tuple[Event, ...]:
        match = loaded.match
        self.running(match)
        assert match.state is not None
        try:
            return moved(match, seat, move)
        except Refused as refused:
            ways = nearest(match.state, seat, move)
            raise IllegalMove(refused.ruling, ways, loaded.version, match) from refused

    def reportable(self, match: Match) -> None:
        """Raises Refused unless what chance is awaited for lies on a real table."""
        self.running(match)
        assert match.state is not None
        if CHANCE not in awaited(match.state):
            return  # then the rules refuse the report
        if not match.setup.at_table(getattr(match.state.agenda[-1], "device", "")):
            raise Refused("server_draws", "TABLE-REPORT-1")

    def recoursed(self, loaded: Loaded, logged: Logged) -> Match:
        """The match after an entry that goes back: its course folded from the beginning."""
        return folded(Match(), course([*self.entries(logged.match, 0, loaded.version), logged]))

    def running(self, match: Match) -> None:
        """Raises Refused unless the match is being played."""
        playable(match)

    def _append(
        self,
        loaded: Loaded,
        seat: int,
        actor: str,
        move: Move,
        facts: tuple[Event, ...],
        key: str,
        ask: bytes,
        view_hash: str = "",
        rests_on: tuple[str, ...] = (),
    ) -> tuple[Answer, Loaded | None]:
        """Writes one entry: the answer OK and the match after it, or DUP, REUSED or CONFLICT. Raises Away.

        `rests_on` are clauses of the table that it rests on besides those of the game.
        """
        made = self.made(loaded, seat, actor, move, facts, key, ask, view_hash, rests_on)
        return self.written(loaded, made, self.log.append(made.commit))

    def made(
        self,
        loaded: Loaded,
        seat: int,
        actor: str,
        move: Move,
        facts: tuple[Event, ...],
        key: str,
        ask: bytes,
        view_hash: str = "",
        rests_on: tuple[str, ...] = (),
    ) -> Made:
        """An entry to be written upon a match, and the match after it."""
        before = loaded.match.state
        back = any(isinstance(fact, GoesBack) for fact in facts)
        logged = Logged(
            loaded.match.id, loaded.version + 1, loaded.reading.now_ms, seat, actor, move, facts, (), b"", view_hash
        )
        after = self.recoursed(loaded, logged) if back else folded(loaded.match, [logged])
        if renews(loaded.match, after):
            generation = loaded.match.generation + 1
            renewed = ChanceRenewed(generation, self.draws.commitment(after.id, generation))
            facts, after = (*facts, renewed), happened(after, renewed)
        logged = replace(logged, facts=facts, clauses=cited(loaded.match, seat, move, facts, rests_on))
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
            asked_anew=asked_anew(before, state, facts) or called(loaded.match) != called(after),
            question=state.agenda[-1].question() if state and state.agenda else "",
            edition=after.edition,
            thinking_ms=time_left(after, loaded.reading.now_ms),
        )
        return Made(commit, logged, after)

    def written(self, loaded: Loaded, made: Made, appended: Appended) -> tuple[Answer, Loaded | None]:
        """The match after an entry that the log has answered so. Raises Away."""
        commit, logged, after = made.commit, made.logged, made.after
        if appended.answer is Answer.OK:
            self._keep(after.id, commit.version, commit.root, after)
            if commit.version % SNAPSHOT_EVERY == 0:
                self._keep_snapshot(after.id, commit.version, commit.root, after)
            if appended.wake:
                self.wake(partition_of(after.id))
            asked = commit.version if commit.asked_anew else loaded.head.asked
            told = commit.status, asked, commit.question, commit.edition
            head = Head(commit.version, commit.root, commit.frontier, *told)
            written = (*loaded.written, replace(logged, root=commit.root))
            return Answer.OK, Loaded(after, commit.version, head, loaded.reading, written)
        if appended.answer not in (Answer.DUP, Answer.REUSED, Answer.CONFLICT):
            raise Away(appended.answer.value.lower(), after.id)
        return appended.answer, None

    def _drawn(self, loaded: Loaded) -> Loaded:
        """Lets chance move as long as it is awaited and the server holds what is drawn; the match after that."""
        while True:
            state = loaded.match.state
            if loaded.match.status in OVER or loaded.match.halted or state is None or CHANCE not in awaited(state):
                return loaded
            top = state.agenda[-1]
            if loaded.match.chance.get(getattr(top, "device", ""), "server") == "table":
                return loaded
            version = loaded.version + 1
            below = self.draws.source(
                loaded.match.id, loaded.match.generation, version, top.question(), seed_bytes(loaded.match.seeds)
            )
            outcome = drawn(state, below)
            facts = self._decided(loaded, CHANCE, outcome)
            _, after = self._append(loaded, CHANCE, "chance", outcome, facts, f"chance:{version}", b"")
            loaded = after if after is not None else self._read(loaded.match.id)

    def _followed(self, loaded: Loaded) -> Loaded:
        """Lets chance and standing passes move, in turns, until nothing more follows by itself; the match after that.

        What is left when this is cut short, the next load of the match goes on with. Raises Away.
        """
        loaded = self._drawn(loaded)
        for _ in range(ENDLESS):
            if (due := self._pass_due(loaded, None)) is None:
                if loaded.match.status in OVER:
                    self.log.drop_pass(loaded.match.id)
                return loaded
            passing, facts = due
            version = loaded.version + 1
            ask = str(passing.since).encode()
            _, after = self._append(loaded, passing.seat, "player", passing.move, facts, f"pass:{version}", ask)
            loaded = self._drawn(after if after is not None else self._read(loaded.match.id))
        raise RuntimeError(f"no end after {ENDLESS} passes in {loaded.match.id}")

    def _timed_out(self, loaded: Loaded) -> bool:
        """Plays for one seat whose time is up the least that the rules allow (TABLE-CLOCK-1); False if there is none.

        It is written upon this version or not at all, so two who play the clock write it once; the second looks again.
        """
        for seat, move in over_time(loaded.match):
            facts = self._foreseen(loaded, seat, move)
            if facts and answering(loaded.match, facts):
                key = f"clock:{loaded.head.asked}:{loaded.version}"
                _, after = self._append(loaded, seat, "clock", move, facts, key, b"", rests_on=("TABLE-CLOCK-1",))
                if after is not None:
                    self._followed(after)
                return True
        return False

    def _pass_due(
        self, loaded: Loaded, records: Mapping[int, bytes] | None
    ) -> tuple[Passing, tuple[Event, ...]] | None:
        """The next standing pass to be played, and what follows from it; None if there is none.

        `records` are those that stand; None: ask the log, for they may have changed since the match was read.
        """
        match = loaded.match
        seen = auto_pass.window(match) if loaded.head.status == "open" else None
        if seen is None or match.halted:
            return None
        assert match.state is not None
        for passing in auto_pass.passing(match, seen, self.log.passes(match.id) if records is None else records):
            if not judge(view(match.state, passing.seat), passing.seat, passing.move).granted:
                continue  # who may not pass is asked, as without a standing pass
            facts = self._foreseen(loaded, passing.seat, passing.move)
            after = after_all(match, facts or ()).state
            if facts and after is not None and after.agenda != match.state.agenda:
                return passing, facts  # else it answers nothing, again and again
        return None

    def _foreseen(self, loaded: Loaded, seat: Seat, move: Move) -> tuple[Event, ...] | None:
        """The facts of a move that is made for a seat; None where real cards would have to be told first."""
        try:
            return self._decided(loaded, seat, move)
        except Unknown:
            return None


def answering(match: Match, facts: tuple[Event, ...]) -> bool:
    """Whether these facts lead on from the open question, be it to the same one, asked anew."""
    before, after = match.state, after_all(match, facts).state
    assert before is not None
    return asked_anew(before, after, facts) or after is None or after.agenda != before.agenda

"""The desk: load, decide, append. Everything that is written goes through here, by players and by workers alike."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from itertools import takewhile

from referee.arbitration import dispatch, disputes, table_reports
from referee.arbitration.claim_validation import possible
from referee.engine.codec import canonical, encode
from referee.engine.events import Event, Move
from referee.engine.game import Malformed
from referee.engine.prompts import TimedOut
from referee.engine.rulings import Refused, Unknown
from referee.engine.seats import BYSTANDER, CLOCK, Seat
from referee.eventstore.contract import Answer, Head
from referee.games import games
from referee.match.aggregate import Match
from referee.match.clocks import limited, of_the_game
from referee.match.entries import Logged, folded
from referee.match.errors import Away, Behind, IllegalMove, KeyReused, UnknownMatch, UnknownVersion, WindowClosed
from referee.match.events.dispute_commands import CourtLate
from referee.match.events.dispute_state import Precedent
from referee.match.events.report_events import Correct, WitnessLate
from referee.match.evidence import Evidence
from referee.match.game_moves import after_all
from referee.match.loaded import Loaded
from referee.match.table import auto_pass, bot_substitution, commands
from referee.match.table.auto_pass import Standing
from referee.match.windows import open_window
from referee.repository.card_books import UnknownEdition
from referee.service.appender import Draws, Writer
from referee.service.concurrency import stood_still, untouched

__all__ = [
    "Away", "Behind", "Desk", "Done", "Draws", "IllegalMove", "KeyReused", "Loaded", "UnknownMatch", "UnknownVersion",
    "WindowClosed",
]  # fmt: skip

KEPT_MS = 24 * 3600 * 1000  # how long the answer to a write without a log is kept for a repeated request
PAGE = 50  # entries that are read at a time to see which of them followed another by themselves
TRIES = 4  # a first decision and three more (architecture: thrice at most)


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a write: its entry, the match after what followed by itself, the receipt.

    `entries` are those of both, where they were just written; empty where they have to be read.
    """

    entry: int
    after: Loaded
    receipt: str
    replayed: bool
    entries: tuple[Logged, ...] = ()

    @property
    def version(self) -> int:
        """The version after what followed by itself."""
        return self.after.version

    @property
    def match(self) -> Match:
        """The match at that version."""
        return self.after.match


class Desk(Writer):
    """Takes moves, table business and standing passes, answers with receipts."""

    # -- reading ---------------------------------------------------------------------------------------------------

    def load(self, match: str, key: str = "", grant: str = "") -> Loaded:
        """The match as it stands; deadlines that have passed, and passes that stand, are played first.

        Raises UnknownMatch.
        """
        while True:
            loaded = self._read(match, key, grant)
            if self._court_late(loaded):
                continue
            due = loaded.reading.due
            late = due is not None and due.at_ms <= loaded.reading.now_ms and loaded.head.status == "open"
            if late and not of_the_game(loaded.match):
                late = self._timed_out(loaded)
                if late:
                    continue
            if not late:
                if loaded.head.status == "frozen" or self._pass_due(loaded, loaded.reading.passes) is None:
                    return loaded
                self._followed(loaded)  # whoever was to play them has died, or they were put since
                continue
            # what was looked up is the caller's key, not the clock's: of that the log itself knows
            unkeyed = replace(loaded, reading=replace(loaded.reading, known=None))
            try:
                self._move(match, CLOCK, TimedOut(), f"clock:{loaded.head.asked}", "clock", None, None, unkeyed)
            except (Behind, IllegalMove):
                if self._read(match).version == loaded.version:
                    raise  # nobody was quicker: the game refuses its own clock
                # an answer came in at the same instant; look again

    def at(self, match: str | Loaded, version: int | None) -> Loaded:
        """The match as it stood at a version (None: now). `match`: its id, or the match as it was just loaded.

        Raises UnknownMatch, UnknownVersion.
        """
        loaded = self.load(match) if isinstance(match, str) else match
        if version is None or version == loaded.version:
            return loaded
        if not 1 <= version < loaded.version:
            raise UnknownVersion(version)
        return Loaded(folded(Match(), self._all(loaded.match.id, version)), version, loaded.head, loaded.reading)

    def left(self, done: Done) -> Loaded:
        """The match as a write has left it, with the deadline that there is now: a write itself is told none."""
        if limited(done.match) is None:
            return done.after
        return self.at(done.match.id, done.version)

    # -- writing ---------------------------------------------------------------------------------------------------

    def open(self, ask: commands.Open, key: str) -> Done:
        """Opens a table. Raises Malformed where the game does not allow it, KeyReused, Away."""
        match, hashed, rules = self.identify(key), _hash(ask), games()[ask.game]
        try:
            ask = replace(ask, edition=self.library.edition(rules, ask.edition))
        except UnknownEdition:
            near = self.library.near(rules, ask.edition)
            hint = f"; did you mean {near}?" if near else ""
            raise Malformed([{"pointer": "/edition", "detail": f"no such edition{hint}"}]) from None
        facts = commands.opening(match, self.draws.commitment(match), ask, rules, self._house_rulings(ask))
        loaded = Loaded(Match(id=match), 0, Head(0, b"", (), "open", 0, "", ""), self.log.read(match, limit=0))
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

    def _house_rulings(self, ask: commands.Open) -> tuple[Precedent, ...]:
        """Those that a new table takes over: of another match of the same game. Raises UnknownMatch."""
        kept = self.load(ask.precedents_of).match.precedents if ask.precedents_of else ()
        return tuple(each for each in kept if each.game == ask.game)

    def business(
        self, match: str, ask: Move, *, key: str, scope: str, actor: str = "table", strict: int | None = None
    ) -> Done:
        """Table business. `strict` insists on a version: on the log, or on what is asked about as it stood then
        (`stillness.untouched`). Raises Refused (TABLE-*), Malformed, KeyReused, Behind, UnknownMatch, Away."""
        hashed, named = _hash(ask), f"{scope}:{key}"
        for _ in range(TRIES):
            loaded = self.load(match, named)
            written_to(loaded)
            if (replay := self._replayed(loaded, hashed)) is not None:
                return replay
            if strict is not None and not untouched(self, loaded, strict, ask):
                raise Behind(strict, loaded.version, True)
            facts = self._settled(loaded, ask)
            seat, how, made = int(BYSTANDER), actor, ask
            if isinstance(ask, Correct):
                seat, how, made = table_reports.logged_as(self.evidence(loaded), ask)
            answer, after = self._append(loaded, seat, how, made, facts, named, hashed)
            if after is not None:
                if isinstance(ask, commands.TakeSeat | commands.LeaveSeat | bot_substitution.SeatBot):
                    self.log.drop_pass(match, ask.seat)  # nobody inherits what another lets pass
                return self._fresh(after, self._followed(after))
            if answer is Answer.REUSED:
                raise KeyReused(key)
        raise Behind(loaded.version, self.load(match).version, False)

    def evidence(self, loaded: Loaded) -> Evidence:
        """What a court may look at of a match that was just loaded."""
        due, now = loaded.reading.due, loaded.reading.now_ms
        left = None if due is None or loaded.match.halted else max(0, due.at_ms - now)
        return Evidence(
            loaded.match, loaded.version, now, left, lambda: self.entries(loaded.match.id, 0, loaded.version)
        )

    def _settled(self, loaded: Loaded, ask: Move) -> tuple[Event, ...]:
        """The facts that follow from table business."""
        evidence = self.evidence(loaded)
        facts = dispatch.settled(evidence, ask)
        possible(evidence, ask)
        return facts

    def _court_late(self, loaded: Loaded) -> bool:
        """Goes on with a dispute or a report for which the table's time is up; whether there was one. By whoever looks
        first."""
        dispute = disputes.late(loaded.match, loaded.reading.now_ms)
        report = table_reports.late(loaded.match, loaded.reading.now_ms)
        if (dispute is None and report is None) or loaded.head.status != "open":
            return False
        ask: Move
        if dispute is not None:
            ask, key = CourtLate(dispute.number), f"court:{dispute.number}:{dispute.until_ms}"
        else:
            assert report is not None
            ask, key = WitnessLate(report.report), f"witness:{report.report}:{report.until_ms}"
        facts = self._settled(loaded, ask)
        _, after = self._append(loaded, BYSTANDER, "clock", ask, facts, key, b"")
        if after is not None:
            self._followed(after)
        return True

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
        view_hash: str = "",
        loaded: Loaded | None = None,
        window: str = "",
        own: tuple[int, ...] = (),
    ) -> Done:
        """A move of a seat, and whatever chance and standing passes add to it.

        `actor` says how it is moved; what follows a colon, by which seat (`reporter:2`). `own`: all seats of whoever
        reports; none of them is a witness.

        `window` is the one that the move is meant for, if any: it stands only while that one is open. `view_hash` is
        that of the view a bot decided on, at version `seen`; it is sealed into the entry.

        `seen` is the version the seat looked at: if the log has moved on, the move stands only where nothing since
        asked anew and none of it was this seat's. `strict` insists on the play as it stood at a version. Neither minds
        what the table does beside the play. Raises IllegalMove, Refused (TABLE-*: match not running), WindowClosed,
        Behind, KeyReused, UnknownMatch, Away.

        `loaded` is the match as it was just loaded, without a look at this key: the log knows the key as the entry is
        added, so it is looked up only where the move does not stand.
        """
        named, keyed = f"{scope or f'seat{seat}'}:{key}", loaded is None
        found = self.load(match, named) if loaded is None else loaded
        return self._move(match, seat, move, named, actor, seen, strict, found, view_hash, keyed, window, own)

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
        view_hash: str = "",
        keyed: bool = True,
        window: str = "",
        own: tuple[int, ...] = (),
    ) -> Done:
        hashed = _hash(move, seat, seen, window)
        for attempt in range(TRIES if keyed else TRIES + 1):
            if attempt:
                loaded = self.load(match, named) if seat != CLOCK else self._read(match, named)
            written_to(loaded)
            if (replay := self._replayed(loaded, hashed)) is not None:
                return replay
            try:
                if window and window != open_window(loaded.match):
                    raise WindowClosed(window, loaded.version)
                facts = self._judged(loaded, seat, move, actor, seen, strict, own)
            except (Behind, IllegalMove, Refused, Unknown, WindowClosed):
                if keyed or attempt:
                    raise
                continue  # the same request may have moved before, and this be its answer: look the key up
            answer, after = self._append(loaded, seat, actor, move, facts, named, hashed, view_hash)
            if after is not None:
                return self._fresh(after, self._followed(after))
            if answer is Answer.REUSED:
                raise KeyReused(named)
            seen = loaded.version if seen is None else seen
        raise Behind(seen or 0, self.load(match).version, False)

    def _judged(
        self,
        loaded: Loaded,
        seat: Seat,
        move: Move,
        actor: str,
        seen: int | None,
        strict: int | None,
        own: tuple[int, ...],
    ) -> tuple[Event, ...]:
        """What follows from a move that was made looking at these versions. Raises as `move`."""
        self.insisted(loaded, strict)
        self._crossing(loaded, seat, seen)
        if actor.partition(":")[0] == "reporter":
            self.reportable(loaded.match)
            facts, now_ms = self._decided(loaded, seat, move), loaded.reading.now_ms
            after = after_all(loaded.match, facts)
            return (*facts, *table_reports.awaited(loaded.match, after.status, loaded.version + 1, own, now_ms))
        if actor == "bot" and loaded.match.chairs[seat].kind != "bot":
            raise Refused("no_bot_there", "TABLE-BOT-3", seat=int(seat))  # somebody took the seat back meanwhile
        return self._decided(loaded, seat, move)

    def insisted(self, loaded: Loaded, strict: int | None) -> None:
        """Raises Behind where somebody insists on a version (None: he does not) and play has gone on since."""
        if strict is not None and not stood_still(self, loaded, strict):
            raise Behind(strict, loaded.version, True)

    def _crossing(self, loaded: Loaded, seat: Seat, seen: int | None) -> None:
        if seen is None or seen == loaded.version:
            return
        if seen > loaded.version:
            raise Behind(seen, loaded.version, False)
        if loaded.head.asked > seen:  # be it only that a court was called, and has gone again
            if stood_still(self, loaded, seen):
                return
            raise Behind(seen, loaded.version, False)
        if any(entry.seat == seat for entry in self.entries(loaded.match.id, seen, loaded.version)):
            raise Behind(seen, loaded.version, False)

    def let_pass(
        self, match: str, seat: Seat, kinds: tuple[str, ...], until: str, *, key: str
    ) -> tuple[Standing, bool]:
        """Lets windows of these kinds pass for a seat, an open one at once: what stands now, and whether it was asked
        for before under this key. It takes the place of what stood.

        Raises Malformed (the game has no such window), Refused (TABLE-*: match not running), KeyReused, UnknownMatch,
        Away.
        """
        loaded = self.load(match)
        written_to(loaded)
        kinds = auto_pass.known_kinds(loaded.match.rules, kinds)
        ask, known = auto_pass.asked(kinds, until), self.log.pass_put(match, seat, key)
        replayed = known is not None
        if known is None:
            self.running(loaded.match)
            put = Standing(kinds, until, auto_pass.turn_of(loaded.match), loaded.version)
            known = self.log.put_pass(match, seat, key, ask, put.packed(), KEPT_MS)
        if known[0] != ask:
            raise KeyReused(key)
        self.load(match)
        return Standing.of(known[1]), replayed

    def passed_at_once(self, match: str, seat: Seat, stands: Standing) -> str | None:
        """The receipt of the pass that was played for a seat as soon as it let windows pass; None if there was none."""
        version = stands.since + 1
        known = self.log.read(match, limit=0, key=f"pass:{version}").known
        if known is None or known.version != version or int(known.ask) != stands.since:
            return None
        (stored,) = self.log.entries(match, stands.since, 1)
        if self.library.unpacked((stored,))[0].seat != seat:
            return None
        return self.sign(match, version, stored.root)

    def let_passed(self, match: str, seat: Seat) -> Standing | None:
        """What a seat lets pass now; None if it answers each window itself. Raises UnknownMatch."""
        loaded = self.load(match)
        record = self.log.passes(match).get(seat)
        found = None if record is None else Standing.of(record)
        return found if found is not None and found.holds(loaded.match) else None

    def let_none_pass(self, match: str, seat: Seat) -> None:
        """Lets nothing pass for a seat any more; no error if nothing stood."""
        self.log.drop_pass(match, seat)

    def heal(self, match: str) -> None:
        """Goes on with a match whose desk died between a move and what follows it. Raises UnknownMatch."""
        self._followed(self.load(match))

    # -- answers ---------------------------------------------------------------------------------------------------

    def _replayed(self, loaded: Loaded, hashed: bytes) -> Done | None:
        known = loaded.reading.known
        if known is None:
            return None
        if known.ask != hashed:
            raise KeyReused
        return self._again(loaded.match.id, known.version)

    def _fresh(self, written: Loaded, after: Loaded) -> Done:
        if after.reading is not written.reading:  # others wrote in between: only what followed by itself is answered
            return replace(self._again(written.match.id, written.version), replayed=False)
        receipt = self.sign(written.match.id, written.version, written.head.root)
        own = tuple(entry for entry in after.written if entry.version >= written.version)
        return Done(written.version, after, receipt, False, own)

    def _again(self, match: str, entry: int) -> Done:
        """The answer that a write got, once more: its entry, and the version after what followed it by itself."""
        (stored,) = self.log.entries(match, entry - 1, 1)
        version = entry
        while later := self.log.entries(match, version, PAGE):
            of_it = list(takewhile(lambda each: self._by_itself(each, entry), self.library.unpacked(later)))
            version += len(of_it)
            if len(of_it) < PAGE:
                break
        return Done(entry, self.at(match, version), self.sign(match, entry, stored.root), True)

    def _by_itself(self, logged: Logged, entry: int) -> bool:
        """Whether an entry is what follows another by itself: of chance, or of a pass that stood before that one.

        The log does not tell a standing pass from one made by hand; the key does, which no reader is shown.
        """
        if logged.actor != "player":
            return logged.actor == "chance"
        known = self.log.read(logged.match, limit=0, key=f"pass:{logged.version}").known
        return known is not None and known.version == logged.version and int(known.ask) < entry


def written_to(loaded: Loaded) -> None:
    """Raises Away if the match takes no entry because it is archived: its log knows no keys any more, so a repeated
    request is not told what it became; or because it has moved, and goes on elsewhere."""
    if loaded.head.status == "archived":
        raise Away("archived", loaded.match.id)
    still_here(loaded)


def still_here(loaded: Loaded) -> None:
    """Raises Away if the match has moved to another server: nothing is written to it here, nor beside it."""
    if loaded.head.status == "moved":
        gone = loaded.match.gone
        raise Away("moved", loaded.match.id, "" if gone is None else gone.new_home)


def _hash(ask: Move, seat: int = BYSTANDER, seen: int | None = None, window: str = "") -> bytes:
    named = {"window": window} if window else {}
    return hashlib.sha256(canonical({"ask": encode(ask), "seat": seat, "seen": seen, **named})).digest()

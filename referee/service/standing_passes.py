"""Standing passes of the seats, which the store keeps outside the log."""

from __future__ import annotations

from collections.abc import Callable

from referee.engine.seats import Seat
from referee.eventstore.contract import MatchLog
from referee.match.errors import IdempotencyKeyConflict
from referee.match.loaded import LoadedMatch
from referee.match.table import auto_pass
from referee.match.table.auto_pass import AutoPass
from referee.repository.matches import MatchRepository
from referee.service.appender import Appender, ensure_writable

KEY_RETENTION_MS = 24 * 3600 * 1000  # how long the answer to a write outside the log is kept for a repeated request


class StandingPasses:
    """The part of the match service that knows the standing passes."""

    log: MatchLog
    sign: Callable[[str, int, bytes], str]
    repository: MatchRepository
    appender: Appender

    def load_match(self, match: str, key: str = "", grant: str = "") -> LoadedMatch:
        """Return the match as it stands, once overdue deadlines and due passes are played."""
        raise NotImplementedError

    def set_auto_pass(
        self,
        match: str,
        seat: Seat,
        kinds: tuple[str, ...],
        until: str,
        *,
        key: str,
        unless_mine: tuple[str, ...] = (),
    ) -> tuple[AutoPass, bool]:
        """Set a seat's standing pass, replacing its last one, and play it if it is due.

        Return what stands now, and whether the same request came before under this key. Raises MalformedInput (the game
        has no such window), IllegalMove (TABLE-*: match not running), IdempotencyKeyConflict, UnknownMatch,
        MatchUnavailable.
        """
        loaded = self.load_match(match)
        ensure_writable(loaded)
        kinds = auto_pass.require_known_kinds(loaded.match.rules, kinds)
        if unless_mine:
            unless_mine = auto_pass.require_known_kinds(loaded.match.rules, unless_mine, "unless_mine")
        command, stored = (
            auto_pass.hash_auto_pass_request(kinds, until, unless_mine),
            self.log.find_pass_by_key(match, seat, key),
        )
        replayed = stored is not None
        if stored is None:
            self.appender.require_running(loaded.match)
            put = AutoPass(kinds, until, auto_pass.turn_of(loaded.match), loaded.version, unless_mine)
            stored = self.log.put_pass(match, seat, key, command, put.to_record(), KEY_RETENTION_MS)
        if stored[0] != command:
            raise IdempotencyKeyConflict(key)
        self.load_match(match)
        return AutoPass.from_record(stored[1]), replayed

    def immediate_pass_receipt(self, match: str, seat: Seat, stands: AutoPass) -> str | None:
        """Return the receipt of the pass played as soon as it was set; None without one."""
        version = stands.since + 1
        record = self.log.read(match, limit=0, key=f"pass:{version}").known
        if record is None or record.version != version or int(record.fingerprint) != stands.since:
            return None
        (stored,) = self.log.read_entries(match, stands.since, 1)
        if self.repository.library.decode_entries((stored,))[0].seat != seat:
            return None
        return self.sign(match, version, stored.root)

    def get_auto_pass(self, match: str, seat: Seat) -> AutoPass | None:
        """Return a seat's standing pass; None if it answers each window itself.

        Raises UnknownMatch.
        """
        loaded = self.load_match(match)
        record = self.log.read_passes(match).get(seat)
        found = None if record is None else AutoPass.from_record(record)
        return found if found is not None and found.is_active(loaded.match) else None

    def clear_auto_pass(self, match: str, seat: Seat) -> None:
        """Drop a seat's standing pass; no error if there is none."""
        self.log.drop_pass(match, seat)

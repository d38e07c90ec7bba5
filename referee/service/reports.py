"""Moves that carry reports of real dice and cards, written together with them."""

from __future__ import annotations

from referee.arbitration.real_tables.silence import decide_silence
from referee.arbitration.real_tables.table_reports import await_witness
from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove, Undetermined
from referee.engine.seats import BYSTANDER, CHANCE
from referee.match.bots.decisions import NO_DECISION, BotDecision
from referee.match.errors import MoveRejected, ReportRejected
from referee.match.events.reaction_events import DeclareNoReaction
from referee.match.game_moves import apply_all
from referee.match.loaded import LoadedMatch
from referee.match.reported_moves import NOBODY_REACTS, Report, foresee_reports
from referee.match.table.reactions import SPOKEN_FOR, find_passable_window
from referee.service.appender import Appender, PreparedEntry, stand_after
from referee.service.requests import MoveRequest


def require_foreseeable(loaded: LoadedMatch, request: MoveRequest) -> None:
    """Raise ReportRejected if the seat can foresee that a report is refused."""
    found = foresee_reports(loaded.match, request.seat, request.move, request.reports)
    if found.refused_at is not None:
        raise ReportRejected(found.refused_at, found.ruling, loaded.version)


class ReportChain:
    """A move and its reports, prepared as consecutive entries.

    TABLE-TAP-3: A move may carry what real dice and cards showed after it. It is judged in order, and all of it counts
    or nothing.
    """

    def __init__(self, appender: Appender, loaded: LoadedMatch, request: MoveRequest) -> None:
        self._appender, self._now, self._request = appender, loaded, request
        self._first = loaded.version + 1
        self.prepared: list[PreparedEntry] = []

    def add_move(self, events: tuple[Event, ...]) -> None:
        """Prepare the entry of the move itself, under the key of the request."""
        request = self._request
        self._prepare(
            request.seat, request.actor, request.move, events, request.scoped_key, request.fingerprint,
            request.decision,
        )  # fmt: skip

    def add_reports(self) -> None:
        """Prepare the entries of the reports. Raises ReportRejected."""
        for at, report in enumerate(self._request.reports):
            try:
                self._add_report(report, is_last=at == len(self._request.reports) - 1)
            except (IllegalMove, MoveRejected) as refused:
                raise ReportRejected(at, refused.ruling, self._first - 1) from refused
            except Undetermined as unknown:
                refusal = IllegalMove("report.not_foreseeable", "TABLE-TAP-3")
                raise ReportRejected(at, refusal.ruling, self._first - 1) from unknown

    def _add_report(self, report: Report, is_last: bool) -> None:
        match, by = self._now.match, self._request.reporter
        if report is NOBODY_REACTS:
            window = find_passable_window(match)
            version, now_ms = self._now.version + 1, self._now.read_result.now_ms
            if not window:
                raise IllegalMove("report.no_window", "TABLE-TAP-3")
            command = DeclareNoReaction(by, window, goes_on=not is_last)
            said = decide_silence(match, command, version, now_ms)
            self._prepare(int(BYSTANDER), "table", command, (said,))
            while (due := self._appender.find_spoken_pass(self._now)) is not None:
                passing, events = due
                self._prepare(
                    passing.seat, f"{SPOKEN_FOR}:{by}", passing.move, events, f"pass:{self._now.version + 1}",
                    rests_on=("TABLE-TAP-1",),
                )  # fmt: skip
            return
        self._appender.require_reportable(match)
        events = self._appender.decide_move(self._now, CHANCE, report)
        status = apply_all(match, events).status
        waits = await_witness(match, status, self._now.version + 1, self._request.own, self._now.read_result.now_ms)
        self._prepare(CHANCE, f"reporter:{by}", report, (*events, *waits))

    def _prepare(
        self,
        seat: int,
        actor: str,
        move: Move,
        events: tuple[Event, ...],
        key: str = "",
        command: bytes = b"",
        decision: BotDecision = NO_DECISION,
        rests_on: tuple[str, ...] = (),
    ) -> None:
        key, command = key or f"with:{self._now.version + 1}", command or str(self._first).encode()
        made = self._appender.prepare_entry(self._now, seat, actor, move, events, key, command, decision, rests_on)
        self._now = stand_after(self._now, made)
        self.prepared.append(made)

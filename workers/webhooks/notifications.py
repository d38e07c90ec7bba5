"""The notifications that webhooks send, built from the public read model alone.

So two matches that a spectator cannot tell apart bring the same notifications, byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from referee.engine.prompts import window_kind_of
from referee.engine.seats import BYSTANDER
from referee.eventstore.contract import MatchLog
from referee.infrastructure.webhooks.models import ASKED
from referee.match.aggregate import Match, MatchOpened
from referee.match.entries import LogEntry, reopens_question
from referee.match.rulebook import TABLE_BOOK
from referee.queries import views
from referee.queries.dispute_actions import list_pending_requests
from referee.rendering import texts
from workers.projections.public_match import PublicMatch, PublicMatches


@dataclass(frozen=True, slots=True)
class Notification:
    """A message that webhooks send.

    - `for_match_followers`: whether it goes to webhooks that follow this match.
    - `for_public_followers`: whether it goes to webhooks that follow all public matches.
    """

    type: str
    at_ms: int
    data: dict[str, Any]
    for_match_followers: bool = True
    for_public_followers: bool = True

    @property
    def body(self) -> dict[str, Any]:
        """The message as it is sent."""
        at = datetime.fromtimestamp(self.at_ms / 1000, UTC).isoformat(timespec="milliseconds")
        return {"type": self.type, "timestamp": at.replace("+00:00", "Z"), "data": self.data}


class NotificationSource:
    """Finds the notifications of each commit, with the spectators' delay of its match.

    `current_matches` are the matches as they stand. A second model follows what spectators are shown.
    """

    def __init__(self, log: MatchLog) -> None:
        self.current_matches, self._shown_matches = PublicMatches(log), PublicMatches(log)

    def collect_notifications(self, match: str, version: int) -> list[Notification]:
        """Return what a spectator learns by the commit of `version`, in order.

        Raises as `PublicMatches.load_match`.
        """
        before = self.current_matches.load_match(match, version - 1)
        now = self.current_matches.load_match(match, version)
        has_started = now.match.state is not None
        notifications: list[Notification] = []
        fresh = self._shown_matches.walk_entries(match, before.highest_shown_version, now.highest_shown_version)
        for was, entry, seen in fresh:
            if has_started and seen.match.state is None and entry.version != version:
                continue  # already sent from the lobby, which has no delay
            notifications += build_notifications(was, entry, seen)
        return notifications


def build_notifications(was: PublicMatch, entry: LogEntry, seen: PublicMatch) -> list[Notification]:
    """Return the notifications of an entry, from the match before and after it."""
    found: list[Notification] = []
    match = seen.match
    public_now = match.visibility == "public"

    def tell(what: str, own: bool = True, **more: Any) -> None:
        data = {
            "match": match.id,
            "url": f"/v1/matches/{match.id}",
            "game": match.game,
            "variant": match.variant,
            "version": entry.version,
            "status": match.public_status,
            **more,
        }
        found.append(Notification(what, entry.at_ms, data, own, public_now))

    opened = any(isinstance(event, MatchOpened) for event in entry.events)
    if opened or (public_now and was.match.visibility != "public"):
        tell("match.opened", own=opened)
    if was.match.state is None and match.state is not None:
        tell("match.started")
    old, new = was.open_windows, seen.open_windows
    for name in sorted(old.keys() - new.keys(), key=window_sort_key):
        tell("window.closed", window=name, kind=window_kind_of(old[name]))
    for name in sorted(new.keys() - old.keys(), key=window_sort_key):
        tell(
            "window.opened",
            window=name,
            kind=window_kind_of(new[name]),
            seats=awaited_seats(match),
            clauses=list(new[name].clauses),
        )
    reopened = reopens_question(was.match.state, match.state, entry.events)
    awaited = awaited_seats(match)
    before = awaited_seats(was.match)
    for seat in awaited:
        if seat not in before or (reopened and seat != entry.seat):
            top = seen.agenda[-1]
            window = match.opened[-1] if window_kind_of(top) else None
            assert match.state is not None
            question = texts.question_response(match.rules, match.state.view_for(BYSTANDER))
            tell("seat.awaited", seat=seat, question=question, window=window)
    for kind, more in build_dispute_notifications(was.match, match):
        tell(kind, **more)
    if match.end is not None and match.end != was.match.end:  # a ruling may change how it ended
        tell("match.ended", outcome=views.outcome_response(match))
    return found


@dataclass(frozen=True, slots=True)
class SeatAsked:
    """What an entry newly asks of a seat: `move`, or what the table asks.

    `sat` is the entry by which its player sat down.
    """

    seat: int
    sat: int
    asks: tuple[str, ...]


def find_asked_seats(was: PublicMatch, entry: LogEntry, now: PublicMatch) -> list[SeatAsked]:
    """Return the seats of people of whom an entry asks something new."""
    before, reopened = awaited_seats(was.match), reopens_question(was.match.state, now.match.state, entry.events)
    awaited, sat, found = awaited_seats(now.match), dict(now.seated_at), []
    for seat, chair in enumerate(now.match.chairs):
        if chair.kind != "human" or not chair.taken or seat not in sat:
            continue
        asks = {"move"} if seat in awaited and (seat not in before or (reopened and seat != entry.seat)) else set()
        known = (
            {(each.what, each.about) for each in list_pending_requests(was.match, seat)} if was.match.chairs else set()
        )
        asked = {(each.what, each.about) for each in list_pending_requests(now.match, seat)}
        asks |= {what.removeprefix("asked.") for what, _ in asked - known}
        if asks:
            found.append(SeatAsked(seat, sat[seat], tuple(sorted(asks))))
    return found


def build_asked_notification(now: PublicMatch, entry: LogEntry, asked: SeatAsked) -> Notification:
    """Return what an account is sent when its seat is asked for something.

    It says where and what for, and nothing of the game: no card, no question.
    """
    match = now.match
    text = "notice.turn" if "move" in asked.asks else "notice.table"
    data = {
        "match": match.id,
        "url": f"/v1/matches/{match.id}",
        "game": match.game,
        "version": entry.version,
        "seat": asked.seat,
        "asks": list(asked.asks),
        "text": TABLE_BOOK.render_texts(text),
    }
    return Notification(ASKED, entry.at_ms, data)


def build_dispute_notifications(was: Match, match: Match) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the notifications about disputes and takebacks.

    Each is its type and its own data.
    """
    for dispute in match.disputes[len(was.disputes) :]:
        by = int(dispute.by) if dispute.by.isdecimal() else dispute.by
        about = {"dispute": dispute.number, "about": dispute.about, "claim": dispute.claim, "by": by}
        yield "dispute.opened", {**about, "parties": list(dispute.parties)}
    ruled = {dispute.number: len(dispute.verdicts) for dispute in was.disputes}
    for dispute in match.disputes:
        for verdict in dispute.verdicts[ruled.get(dispute.number, 0) :]:
            yield (
                "dispute.ruled",
                {
                    "dispute": dispute.number,
                    "about": dispute.about,
                    "court": verdict.court,
                    "by": verdict.by,
                    "verdict": verdict.verdict,
                    "remedy": verdict.remedy or None,
                    "clauses": list(verdict.clauses),
                    "settled": not dispute.is_open,
                },
            )
    for takeback in match.takebacks[len(was.takebacks) :]:
        if takeback.stage == "asked":
            yield "takeback.asked", {"takeback": takeback.number, "seat": takeback.seat, "to": takeback.to}


def window_sort_key(name: str) -> tuple[int, ...]:
    """Return the sort key of a window's name."""
    return tuple(map(int, name.split(".")))


def awaited_seats(match: Match) -> list[int]:
    """Return the awaited seats, in order."""
    return sorted(seat for seat in views.awaited_response(match) if isinstance(seat, int))

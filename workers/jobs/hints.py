"""The job that works out a hint for a player who waits for it."""

from __future__ import annotations

from traceback import format_tb

from referee.eventstore.contract import StoreUnavailable
from referee.match.errors import MatchUnavailable, UnknownMatch
from referee.service.hints import compute_hint
from workers.composition import current_context


class HintFailedError(RuntimeError):
    """A hint cannot be worked out, because the search is at fault."""


def work_out_hint(match: str, seat: int, at: int) -> None:
    """Work out the hint for a seat on the position at version `at`, and keep it.

    Raises StoreUnavailable, UnknownMatch, MatchUnavailable, HintFailedError. The player who asks again then asks for a
    new job.
    """
    context = current_context()
    try:
        hint = compute_hint(context.service, match, seat, at)
    except (StoreUnavailable, UnknownMatch, MatchUnavailable):
        raise
    except Exception as wrong:
        # the message of the exception may name a hidden card, and what a job raises is logged
        found = f"{type(wrong).__name__}\n{''.join(format_tb(wrong.__traceback__))}"
        raise HintFailedError(f"the hint for seat {seat} of {match} at version {at}: {found}") from None
    context.queues.keep_hint(match, seat, at, hint)

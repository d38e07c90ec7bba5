"""The job that works out a hint for a player who waits for it."""

from __future__ import annotations

from referee.service.hints import compute_hint
from workers.composition import current_context


def work_out_hint(match: str, seat: int, at: int) -> None:
    """Work out the hint for a seat on the position at version `at`, and keep it.

    Raises StoreUnavailable, UnknownMatch. The player who asks again then asks for a new job.
    """
    context = current_context()
    context.queues.keep_hint(match, seat, at, compute_hint(context.service, match, seat, at))

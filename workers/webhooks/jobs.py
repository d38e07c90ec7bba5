"""The job that sends webhooks."""

from __future__ import annotations

from workers.composition import current_context, current_dispatcher


def deliver_due(partition: int) -> None:
    """Job: brings the outbox of a partition up to date, and has sent what is due.

    The mark goes first, so that whoever asks during the job asks for another one. Raises ExceptionGroup if an entry
    cannot be read, after all else was done.
    """
    context, at = current_context(), current_dispatcher()
    context.queues.clear_webhooks_mark(partition)
    try:
        whole = at.fill_outbox(partition)
    finally:
        at.dispatch_due(partition)
    if not whole:
        context.queues.request_webhooks(partition)

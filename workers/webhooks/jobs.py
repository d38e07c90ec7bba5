"""The job that sends webhooks."""

from __future__ import annotations

from workers.composition import current_context, current_dispatcher


def deliver_due(partition: int) -> None:
    """Fill the outbox of a partition from the feed, and send what is due.

    The mark is cleared first, so that a request during the job enqueues another one. Raises ExceptionGroup if an entry
    cannot be read, after everything else is done.
    """
    context, dispatcher = current_context(), current_dispatcher()
    context.queues.clear_webhooks_mark(partition)
    try:
        complete = dispatcher.fill_outbox(partition)
    finally:
        dispatcher.dispatch_due(partition)
    if not complete:
        context.queues.request_webhooks(partition)

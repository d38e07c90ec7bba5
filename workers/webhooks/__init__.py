"""Webhooks: which messages go to whom, and sending them."""

from typing import Any


def __getattr__(name: str) -> Any:
    """Return the job under its path before 0.2.

    Jobs that were enqueued before may still be waiting.
    """
    if name == "deliver":
        from workers.webhooks.jobs import deliver_due

        return deliver_due
    raise AttributeError(name)

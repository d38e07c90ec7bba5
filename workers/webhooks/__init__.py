"""Webhooks: what is to be told to whom, and sending it."""

from typing import Any


def __getattr__(name: str) -> Any:
    """Find the job under the path that it had before 0.2, for jobs that were waiting in a queue."""
    if name == "deliver":
        from workers.webhooks.jobs import deliver_due

        return deliver_due
    raise AttributeError(name)

"""From the environment to the context of a worker process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from redis.exceptions import ResponseError

from referee.eventstore.contract import StoreAway
from referee.infrastructure.clients import AWAY, match_log, queue_client, store_client
from referee.infrastructure.composition import desk, publisher
from referee.infrastructure.secrets import derived, server_secret
from referee.infrastructure.settings import load
from referee.infrastructure.webhooks.http_client import Sender
from referee.infrastructure.webhooks.url_policy import networks
from workers.context import Context
from workers.queues import Queues
from workers.webhooks.dispatcher import Office

_context: Context | None = None
_office: Office | None = None


def current_context() -> Context:
    """Return the context of this process, built from the environment at first; a forked child keeps its parent's.

    Raises HostError where the settings name no store or no queue.
    """
    global _context
    if _context is None:
        _context = wired()
    return _context


def use_context(given: Context | None) -> None:
    """Put another context in place: tests hand in their own, None forgets it."""
    global _context
    _context = given


def current_office() -> Office:
    """Return the office of this process, built at first. Raises HostError."""
    global _office
    if _office is None:
        _office = wired_office(current_context())
    return _office


def use_office(given: Office | None) -> None:
    """Put another office in place: tests hand in their own, None forgets it."""
    global _office
    _office = given


def wired() -> Context:
    """The context that the environment describes. Raises HostError."""
    settings = load()
    log = match_log(settings)
    queues, run_id = Queues(queue_client(settings)), run_of(store_client(settings))
    return Context(desk(settings, log), log, queues, run_id, publisher(settings, log))


def wired_office(context: Context) -> Office:
    """The office from which webhooks are sent, as the environment describes it. Raises HostError."""
    settings = load()
    key = derived(server_secret(settings.secret_file), "webhooks")
    return Office(context.log, Sender(networks(settings.webhook_allow)), key)


def queue_connection() -> Any:
    """A connection to the queue, for a worker of its own. Raises HostError."""
    return queue_client(load())


def run_of(client: Any) -> Callable[[], str]:
    """Asks which run of the store answers: it changes whenever a server was started again; of a cluster, any of them.

    It is empty where a server cannot say (a fake one). The question raises StoreAway.
    """

    def ask() -> str:
        try:
            if hasattr(client, "get_primaries"):
                told = client.info("server", target_nodes=client.PRIMARIES)
                return "+".join(sorted(str(info["run_id"]) for info in told.values()))
            return str(client.info("server")["run_id"])
        except AWAY as away:
            raise StoreAway(str(away)) from away
        except ResponseError:
            return ""

    return ask

"""From the environment to the context of a worker process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from redis.exceptions import ResponseError

from referee.hosting.assembly import desk, publisher
from referee.hosting.clients import AWAY, match_log, queue_client, store_client
from referee.hosting.hooks.addresses import networks
from referee.hosting.hooks.sending import Sender
from referee.hosting.secrets import derived, server_secret
from referee.hosting.settings import load
from referee.store.base import StoreAway
from workers import Context
from workers.queue import Queues
from workers.webhooks import Office


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

"""Writes that count only once replicas have them.

A replica that is promoted has what it had received. So a write is answered only when a number of replicas have it; if
they do not within a time, nobody knows whether it will stay, as when the store does not answer, and the caller repeats
it under its key.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.eventstore.contract import StoreUnavailable

# Scripts that only read, or write what is computed or noted again; these do not wait.
NEVER_WAITED_FOR = {
    *("read", "positions", "first_scores", "invited", "attend", "attending", "snapshot", "extend_overdue_deadlines"),
    *("apply_projections", "amend_projection", "freeze", "unfreeze"),
}
MAX_REDIRECTIONS = 3  # while a cluster moves a slot


class Replication:
    """Waits until that many replicas have what was written, within a time."""

    def __init__(self, client: Any, replicas: int, within_ms: int) -> None:
        self._client, self._replicas, self._within_ms = client, replicas, within_ms
        self._is_cluster = hasattr(client, "get_node_from_key")

    def waits_for(self, script: str) -> bool:
        """Return whether a script of that name waits for replicas."""
        return self._replicas > 0 and script not in NEVER_WAITED_FOR

    def run_script(self, script: Any, keys: Sequence[str], args: Sequence[Any]) -> Any:
        """Run a script, and return its reply once the replicas have what it wrote.

        One round trip, or two in a cluster, which redirects scripts by itself. Raises StoreUnavailable.
        """
        if self._is_cluster:
            reply = script(keys=list(keys), args=list(args))
            self.wait(keys[0])
            return reply
        reply, *waited = self._run_waiting(self._client, keys[0], ("EVALSHA", script.sha, len(keys), *keys, *args))
        if type(reply).__name__ == "NoScriptError":
            self._client.script_load(script.script)
            reply, *waited = self._run_waiting(self._client, keys[0], ("EVALSHA", script.sha, len(keys), *keys, *args))
        if isinstance(reply, Exception):
            raise reply
        self._require_enough(waited)
        return reply

    def wait(self, key: str) -> None:
        """Return once the replicas have all that was written where a key lies.

        It does nothing where no replicas are asked for. Raises StoreUnavailable.
        """
        for left in range(MAX_REDIRECTIONS if self._replicas else 0, 0, -1):
            client = self._client
            if self._is_cluster:
                client = client.get_redis_connection(client.get_node_from_key(key))
            waited = self._run_waiting(client, key)
            if self._is_cluster and left > 1 and type(waited[0]).__name__ in ("MovedError", "AskError"):
                self._client.nodes_manager.initialize()
                continue
            self._require_enough(waited)
            return

    def _run_waiting(self, client: Any, key: str, *commands: tuple[Any, ...]) -> list[Any]:
        """Return the replies to commands, to a write after them, and to a wait for it.

        A connection waits for its own last write. That one comes after all others, so it waits for those of others too.
        """
        pipe = client.pipeline(transaction=False)
        for command in commands:
            pipe.execute_command(*command)
        pipe.set(f"{key[: key.index('}') + 1]}:waited", "1")
        pipe.wait(self._replicas, self._within_ms)
        replies: list[Any] = pipe.execute(raise_on_error=False)
        return replies

    def _require_enough(self, waited: Sequence[Any]) -> None:
        for reply in waited:
            if isinstance(reply, Exception):
                raise reply
        if waited[-1] < self._replicas:
            raise StoreUnavailable(f"only {waited[-1]} of {self._replicas} replicas have what was written")

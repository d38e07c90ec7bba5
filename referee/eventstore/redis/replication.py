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
MAX_ATTEMPTS = 3  # while a cluster moves a slot or promotes a replica


class PrimaryNodes:
    """The servers of a cluster that take writes, as its client knows them."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def find(self, key: str) -> tuple[Any, Any]:
        """Return the node where a key lies, and a client of that node alone."""
        node = self._client.get_node_from_key(key)
        return node, self._client.get_redis_connection(node)

    def refresh(self, failed: Any = None) -> None:
        """Ask the cluster who has what; the node that failed is asked last."""
        self._client.nodes_manager.initialize(last_failed_node_name=None if failed is None else failed.name)


class Replication:
    """Waits until that many replicas have what was written, within a time."""

    def __init__(self, client: Any, replicas: int, within_ms: int) -> None:
        self._client, self._replicas, self._within_ms = client, replicas, within_ms
        self._nodes = PrimaryNodes(client) if hasattr(client, "get_node_from_key") else None

    def waits_for(self, script: str) -> bool:
        """Return whether a script of that name waits for replicas."""
        return self._replicas > 0 and script not in NEVER_WAITED_FOR

    def run_script(self, script: Any, keys: Sequence[str], args: Sequence[Any]) -> Any:
        """Run a script, and return its reply once the replicas have what it wrote.

        One round trip. Raises StoreUnavailable.
        """
        rest = (len(keys), *keys, *args)
        reply, *waited = self._run_waiting(keys[0], ("EVALSHA", script.sha, *rest))
        if type(reply).__name__ == "NoScriptError":
            reply, *waited = self._run_waiting(keys[0], ("EVAL", script.script, *rest))
        if isinstance(reply, Exception):
            raise reply
        self._require_enough(waited)
        return reply

    def wait(self, key: str) -> None:
        """Return once the replicas have all that was written where a key lies.

        It does nothing where no replicas are asked for. Raises StoreUnavailable.
        """
        if self._replicas:
            self._require_enough(self._run_waiting(key))

    def _run_waiting(self, key: str, *commands: tuple[Any, ...]) -> list[Any]:
        """Return the replies to commands, to a write after them, and to a wait.

        A connection waits for its own last write. That one comes after all others, so it waits for those of others too.
        All go over one connection to one server. If the wait were asked of another one, a replica that was promoted in
        between could answer for a command that it never had.
        """
        marker = ("SET", f"{key[: key.index('}') + 1]}:waited", "1")
        together = (*commands, marker, ("WAIT", self._replicas, self._within_ms))
        if self._nodes is None:
            return self._send(self._client, together)
        return self._send_to_owner(self._nodes, key, together)

    def _send_to_owner(self, nodes: PrimaryNodes, key: str, commands: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Send commands to the server where a key lies, and follow redirections."""
        replies: list[Any] = []
        for left in range(MAX_ATTEMPTS - 1, -1, -1):
            node, client = nodes.find(key)
            try:
                replies = self._send(client, commands)
            except Exception as wrong:  # the client's own kinds; those that mean "away" are known to the caller
                nodes.refresh(node)
                if not left or type(wrong).__name__ != "ConnectionError":
                    raise
                continue
            if type(replies[0]).__name__ != "MovedError":
                break
            nodes.refresh()
        return replies

    @staticmethod
    def _send(client: Any, commands: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Return the replies to commands in one round trip; errors are among them."""
        pipe = client.pipeline(transaction=False)
        for command in commands:
            pipe.execute_command(*command)
        replies: list[Any] = pipe.execute(raise_on_error=False)
        return replies

    def _require_enough(self, waited: Sequence[Any]) -> None:
        for reply in waited:
            if isinstance(reply, Exception):
                raise reply
        if waited[-1] < self._replicas:
            raise StoreUnavailable(f"only {waited[-1]} of {self._replicas} replicas have what was written")

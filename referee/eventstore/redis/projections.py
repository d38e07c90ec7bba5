"""Projections on a stream server; see `ProjectionStore`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, cast

from referee.eventstore.contract import (
    PARTITIONS,
    Precondition,
    ProjectionBatch,
    ProjectionWrite,
    StoredEntry,
)
from referee.eventstore.projection_store import StoreCall
from referee.eventstore.projection_writes import require_matching_key_kinds, require_valid_writes
from referee.eventstore.redis.accounts import RedisAccountStore
from referee.eventstore.redis.overview import RedisOverview
from referee.eventstore.redis.replies import (
    parse_entry,
    parse_fields,
    partition_tag,
    request_fields,
)

Request = tuple[tuple[Any, ...], Callable[[Any], Any]]  # a command, and how its reply is read


class RedisProjectionStore(RedisAccountStore, RedisOverview):
    """The part of a log on a stream server that keeps projections.

    A call that can be made together with others is written as a `_request_…`: its command, and how the reply is read.
    """

    _spread: bool
    _scripts: dict[str, Any]

    def call_together(self, calls: Sequence[StoreCall]) -> list[Any]:
        if self._spread or len(calls) == 1:  # a pipeline of a cluster refuses scripts
            return [getattr(self, call.name)(*call.args) for call in calls]
        requests = [getattr(self, f"_request_{call.name}")(*call.args) for call in calls]

        def run() -> list[Any]:
            pipe = self.client.pipeline(transaction=False)
            for command, _ in requests:
                pipe.execute_command(*command)
            return cast(list[Any], pipe.execute(raise_on_error=False))

        def run_with_script() -> list[Any]:
            replies = run()
            if any(map(_is_script_missing, replies)):  # then no call that writes rows was done, and all may be repeated
                self.client.script_load(self._scripts["apply_projections"].script)
                replies = run()
            for reply in replies:
                if isinstance(reply, Exception):
                    raise reply
            return replies

        replies = self._call_store(run_with_script) if requests else []
        return [parse(reply) for (_, parse), reply in zip(requests, replies, strict=True)]

    def _ask(self, request: Request) -> Any:
        command, parse = request
        return parse(self._call_store(lambda: self.client.execute_command(*command)))

    def read_entries(self, match: str, after: int = 0, limit: int = 100) -> tuple[StoredEntry, ...]:
        if limit < 1:
            return ()
        return cast(tuple[StoredEntry, ...], self._ask(self._request_read_entries(match, after, limit)))

    def _request_read_entries(self, match: str, after: int, limit: int) -> Request:
        command = ("XRANGE", self._match_key(match, "log"), f"({after}-0", "+", "COUNT", limit)
        return command, lambda found: tuple(map(parse_entry, found))

    def _request_read_passes(self, match: str) -> Request:
        return ("HGETALL", self._match_key(match, "passes")), _parse_standing_passes

    def clear_wake_flag(self, partition: int) -> None:
        self._ask(self._request_clear_wake_flag(partition))

    @staticmethod
    def _request_clear_wake_flag(partition: int) -> Request:
        return ("DEL", f"{partition_tag(partition)}:wake"), lambda _: None

    @staticmethod
    def _view_key(partition: int, name: str, build: int, suffix: str) -> str:
        return f"{partition_tag(partition)}:v:{name}:{build}:{suffix}"

    def read_cursor(self, partition: int, name: str, build: int) -> int:
        return int(self._call_store(lambda: self.client.get(self._view_key(partition, name, build, "cursor"))) or 0)

    def read_view_cursors(self, partition: int, views: Sequence[tuple[str, int]]) -> tuple[int, ...]:
        return cast(tuple[int, ...], self._ask(self._request_read_view_cursors(partition, views))) if views else ()

    def _request_read_view_cursors(self, partition: int, views: Sequence[tuple[str, int]]) -> Request:
        names = [self._view_key(partition, name, build, "cursor") for name, build in views]
        return ("MGET", *names), lambda found: tuple(int(at or 0) for at in found)

    def apply_projection(
        self, partition: int, name: str, build: int, seen: int, cursor: int, writes: Sequence[ProjectionWrite]
    ) -> bool:
        (done,) = self.apply_projections(partition, [ProjectionBatch(name, build, seen, cursor, writes)])
        return require_matching_key_kinds(done, name, build)

    def apply_projections(self, partition: int, views: Sequence[ProjectionBatch]) -> tuple[bool | None, ...]:
        if not views:
            return ()
        keys, args = self._encode_batches(partition, views)
        return _parse_applied(self._run_script("apply_projections", keys, *args))

    def _request_apply_projections(self, partition: int, views: Sequence[ProjectionBatch]) -> Request:
        keys, args = self._encode_batches(partition, views)
        return ("EVALSHA", self._scripts["apply_projections"].sha, len(keys), *keys, *args), _parse_applied

    def _encode_batches(self, partition: int, views: Sequence[ProjectionBatch]) -> tuple[list[str], list[Any]]:
        keys: list[str] = []
        args: list[Any] = [len(views)]
        for view in views:
            own, written = self._encode_writes(
                partition, view.name, view.build, "cursor", len(keys), require_valid_writes(view.writes)
            )
            args += [len(keys) + 1, view.seen, view.cursor, len(view.writes), *written]
            keys += own
        return keys, args

    def amend_projection(
        self, partition: int, name: str, build: int, guard: Precondition, writes: Sequence[ProjectionWrite]
    ) -> bool:
        held = b"" if guard.held is None else b"=" + guard.held
        keys, args = self._encode_writes(partition, name, build, guard.suffix, 0, require_valid_writes(writes))
        done = cast(int, self._run_script("amend_projection", keys, guard.field, held, len(writes), *args))
        return require_matching_key_kinds(None if done < 0 else done == 1, name, build)

    def _encode_writes(
        self, partition: int, name: str, build: int, first: str, before: int, writes: Sequence[ProjectionWrite]
    ) -> tuple[list[str], list[Any]]:
        """Return the keys of a view's writes, and the writes as the scripts read them.

        `first` is a key that comes ahead of them. `before` is the number of keys of other views ahead of all these.
        """
        suffixes = list(dict.fromkeys(write.suffix for write in writes))
        at = {suffix: index for index, suffix in enumerate(suffixes, before + 2)}
        keys = [self._view_key(partition, name, build, suffix) for suffix in (first, *suffixes)]
        return keys, [part for write in writes for part in (write.op, at[write.suffix], write.field, write.value)]

    def read_projection(
        self, partition: int, name: str, build: int, suffix: str, fields: Sequence[str] | None = None
    ) -> dict[str, bytes]:
        if fields is not None and not fields:
            return {}
        return cast(dict[str, bytes], self._ask(self._request_read_projection(partition, name, build, suffix, fields)))

    def _request_read_projection(
        self, partition: int, name: str, build: int, suffix: str, fields: Sequence[str] | None = None
    ) -> Request:
        view = self._view_key(partition, name, build, suffix)
        command = ("HGETALL", view) if fields is None else ("HMGET", view, *fields)
        return command, lambda found: parse_fields(found, fields)

    def read_partition_cursors(self, name: str, build: int) -> tuple[int, ...]:
        def read() -> list[Any]:
            pipe = self.client.pipeline(transaction=False)
            for partition in range(PARTITIONS):
                pipe.get(self._view_key(partition, name, build, "cursor"))
            return cast(list[Any], pipe.execute())

        return tuple(int(at or 0) for at in self._call_store(read))

    def read_across_partitions(
        self, name: str, build: int, suffix: str, fields: Sequence[str] | None = None, only: Sequence[int] | None = None
    ) -> dict[int, tuple[int, dict[str, bytes]]]:
        partitions = range(PARTITIONS) if only is None else only
        rows = fields is None or len(fields) > 0

        def read() -> list[Any]:
            pipe = self.client.pipeline(transaction=False)
            for partition in partitions:
                pipe.get(self._view_key(partition, name, build, "cursor"))  # first, so that the rows are no older
                if rows:
                    request_fields(pipe, self._view_key(partition, name, build, suffix), fields)
            return cast(list[Any], pipe.execute())

        found = self._call_store(read) if partitions else []
        step = 2 if rows else 1
        return {
            partition: (int(found[at * step] or 0), parse_fields(found[at * step + 1], fields) if rows else {})
            for at, partition in enumerate(partitions)
        }

    def read_ranking(
        self, partition: int, name: str, build: int, suffix: str, after: int = 0, limit: int = 100
    ) -> tuple[tuple[str, int], ...]:
        if limit < 1:
            return ()
        view = self._view_key(partition, name, build, suffix)
        found = self._call_store(lambda: self.client.zrange(view, after, after + limit - 1, withscores=True))
        return tuple((member.decode(), int(score)) for member, score in found)

    def find_first_scores(self, name: str, build: int, suffix: str) -> tuple[int | None, ...]:
        return self._read_first_scores(
            [self._view_key(partition, name, build, suffix) for partition in range(PARTITIONS)]
        )

    def drop_projection(self, partition: int, name: str, build: int) -> None:
        pattern = self._view_key(partition, name, build, "*").replace("{", "\\{").replace("}", "\\}")
        for key in self._call_store(lambda: list(self.client.scan_iter(match=pattern, count=1000))):
            self._call_store(functools.partial(self.client.delete, key))


def _parse_applied(found: list[int]) -> tuple[bool | None, ...]:
    return tuple(None if each < 0 else each == 1 for each in found)


def _parse_standing_passes(found: dict[bytes, bytes]) -> dict[int, bytes]:
    return {int(seat): record for seat, record in found.items()}


def _is_script_missing(reply: Any) -> bool:
    """Tell whether a reply says that the server does not know the script yet."""
    return type(reply).__name__ == "NoScriptError"

"""Lets the embedded store refuse writes before its disk is full.

A store that syncs every write ends itself when it cannot write, and then nothing can be read either. So writes are
refused below a low-water mark, and admitted again above a higher one. The store itself refuses them, by its limit of
memory: one switch for all processes, and a script of several writes is refused before its first. Some small writes
(deletions, keys that expire) go on. They, and a start on a disk that something else has filled, live on a reserve: a
file that is given up when nearly nothing is left.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from pathlib import Path

from redis.exceptions import RedisError

from referee.eventstore.contract import PARTITIONS
from referee.eventstore.redis import scripts
from referee.eventstore.redis.replies import partition_tag
from referee.infrastructure.clients import build_client
from referee.infrastructure.embedded.server import DURABLE_OPTIONS, ServerPlan

LOW_WATER_BYTES = 64 << 20  # free; below it writes are refused
ENOUGH_BYTES = 128 << 20  # free; above it they are admitted again, and the reserve is laid in
RESERVE_BYTES = 16 << 20
CRITICAL_BYTES = 4 << 20  # free; below it the reserve is given up
RESERVE_FILE = "disk-reserve"
GRACE_MS = 30_000  # for deadlines that passed while nobody could move
REWRITE_OPTION = "auto-aof-rewrite-percentage"
ZEROS = bytes(1 << 20)
# the store's own script, for all partitions at once: the embedded store is no cluster
EXTEND_ALL = f"""
local function extend(KEYS, ARGV)
{scripts.ALL["extend_overdue_deadlines"]}
end
local moved = 0
for at = 1, #KEYS, 2 do moved = moved + extend({{KEYS[at], KEYS[at + 1]}}, ARGV) end
return moved
"""


class DiskGuard:
    """Watches the disk of one durable store.

    `refuses` says whether writes are to be refused now.
    """

    def __init__(self, data_dir: Path, plan: ServerPlan) -> None:
        self.refuses = False
        self._data_dir, self._plan = data_dir, plan
        self._applied = {"maxmemory": "0", REWRITE_OPTION: DURABLE_OPTIONS[REWRITE_OPTION]}

    def prepare_start(self) -> dict[str, str]:
        """Return the options with which a store that ended is started again.

        They hold from the beginning, so no write comes in between.
        """
        self._applied = self._decide(self.measure_free())
        return dict(self._applied)

    def look(self) -> str:
        """Refuse or admit writes as the disk has room.

        Return what to tell the operator if that changed. If the store is away, the next look does it.
        """
        free = self.measure_free()
        wanted = self._decide(free)
        if wanted != self._applied:
            changed = {name: value for name, value in wanted.items() if value != self._applied[name]}
            try:
                moved = self._configure(changed)
            except RedisError:
                return ""
            self._applied = wanted
            if "maxmemory" in changed:
                return self._describe(free, moved)
        return ""

    def measure_free(self) -> int:
        """Return how many bytes are free, and lay in or give up the reserve."""
        reserve = self._data_dir / RESERVE_FILE
        free = shutil.disk_usage(self._data_dir).free
        if free < CRITICAL_BYTES and reserve.exists():
            reserve.unlink()
            free = shutil.disk_usage(self._data_dir).free
        elif free > ENOUGH_BYTES + RESERVE_BYTES and not reserve.exists():
            with contextlib.suppress(OSError):  # something else was faster; the next look tries again
                lay_in_reserve(reserve)
        return free

    def has_room_to_rewrite(self, free: int | None = None) -> bool:
        """Return whether the disk can take the store's log a second time.

        While it is rewritten, the old one and the new one are both there.
        """
        free = shutil.disk_usage(self._data_dir).free if free is None else free
        files = [*self._plan.directory.glob("appendonlydir/*"), *self._plan.directory.glob("appendonly.aof")]
        size = 0
        for path in files:
            with contextlib.suppress(FileNotFoundError):  # the store removes what it has rewritten
                size += path.stat().st_size
        return free > LOW_WATER_BYTES + size

    def _decide(self, free: int) -> dict[str, str]:
        self.refuses = free < (ENOUGH_BYTES if self.refuses else LOW_WATER_BYTES)
        may_rewrite = not self.refuses and self.has_room_to_rewrite(free)
        return {
            "maxmemory": "1" if self.refuses else "0",
            REWRITE_OPTION: DURABLE_OPTIONS[REWRITE_OPTION] if may_rewrite else "0",
        }

    def _configure(self, changed: dict[str, str]) -> int:
        """Set options of the running store; return how many deadlines were extended.

        Raises RedisError.

        With writes admitted, the deadlines that have passed are extended, or the first reader would play them against
        players who could not move. Both are sent in one piece, which a server takes before it turns to other clients:
        in a transaction Redis 7 refuses every command while it is full.
        """
        keys = [f"{part}:{what}" for part in map(partition_tag, range(PARTITIONS)) for what in ("due", "about")]
        client = build_client(self._plan.url, retries=0, within=1.0)
        with client, client.pipeline(transaction=False) as acts:
            for name, value in changed.items():
                acts.config_set(name, value)
            if changed.get("maxmemory") == "0":
                acts.eval(EXTEND_ALL, len(keys), *keys, f"full-{secrets.token_hex(8)}", GRACE_MS)
            return sum(acts.execute()[len(changed) :])

    def _describe(self, free: int, moved: int) -> str:
        if self.refuses:
            return (
                f"DISK FULL: {free >> 20} MB are free for {self._data_dir}; reads go on, and writes are refused until "
                f"{ENOUGH_BYTES >> 20} MB are free"
            )
        extended = f"; {moved} deadlines are extended by {GRACE_MS // 1000} s" if moved else ""
        return f"{free >> 20} MB are free again for {self._data_dir}: writes go on{extended}"


def lay_in_reserve(path: Path) -> None:
    """Write the reserve, whole or not at all. Raises OSError."""
    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600), "wb") as file:
            for _ in range(RESERVE_BYTES // len(ZEROS)):  # not `fallocate`: some file systems do not know it
                file.write(ZEROS)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        path.unlink(missing_ok=True)
        raise

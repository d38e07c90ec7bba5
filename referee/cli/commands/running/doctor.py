"""`referee doctor`: what is missing on this machine, and how to mend it. It changes nothing."""

from __future__ import annotations

import importlib.util
import os
import shutil
import socket
import stat
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from referee.cli.banner import reachable
from referee.cli.output import console, print_json
from referee.eventstore.contract import StoreAway
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.clients import look, match_log, refuse_cluster
from referee.infrastructure.embedded.servers import holder, store_of
from referee.infrastructure.embedded.store_binaries import WAYS_OUT, choose, installed
from referee.infrastructure.errors import HostError
from referee.infrastructure.integrity_check import gone
from referee.infrastructure.keyring import load_signer, pending
from referee.infrastructure.secrets import exposed, server_secret
from referee.infrastructure.settings import PREFIX, Settings, SettingsError, known_variables, load

LEAST_PYTHON = (3, 11)
LIBRARIES = (
    *("flask", "flask_smorest", "limits", "flask_cors", "apispec", "webargs", "marshmallow"),
    *("marshmallow_oneofschema", "redis", "rq", "cryptography", "environs", "gunicorn", "yaml", "rich", "click"),
    *("segno", "structlog", "prometheus_client", "orjson"),
)
FOR_EPHEMERAL = ("fakeredis", "lupa")
LEAST_FREE = 256 << 20  # bytes
NAMED = 5  # matches that a finding names
FINE, WARNING, WRONG = "fine", "warning", "wrong"


@dataclass(frozen=True)
class Finding:
    """One thing looked at: its state, what was found, and what mends it."""

    check: str
    state: str
    says: str
    mend: str = ""


def examine(data_dir: Path | None, *, as_json: bool) -> int:
    """Prints the findings; the exit code is 1 if something is wrong, which a warning is not."""
    try:
        settings = load()
    except SettingsError as wrong:
        findings = [Finding(name, WRONG, " ".join(says), "see .env.example") for name, says in wrong.problems.items()]
    else:
        if data_dir is not None:
            settings = settings.within(data_dir.expanduser().absolute())
        findings = list(look_round(settings))
    well = all(finding.state != WRONG for finding in findings)
    if as_json:
        print_json({"well": well, "findings": [asdict(finding) for finding in findings]})
    else:
        _print(findings)
    return 0 if well else 1


def look_round(settings: Settings) -> Iterator[Finding]:
    """Every check, in the order in which a start would stumble."""
    yield from _python()
    yield from _libraries()
    yield from _variables()
    yield from _data_dir(settings)
    yield from _store(settings)
    yield from _queue(settings)
    yield from _keys(settings)
    yield from _archive(settings)
    yield _port(settings)


def _python() -> Iterator[Finding]:
    found = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < LEAST_PYTHON:
        yield Finding("python", WRONG, found, "install Python 3.11 or later")
    else:
        yield Finding("python", FINE, found)
    if sys.platform == "win32":
        yield Finding("platform", WRONG, "Windows has neither file locks nor gunicorn", "use WSL, or docker compose")


def _libraries() -> Iterator[Finding]:
    missing = [name for name in LIBRARIES if importlib.util.find_spec(name) is None]
    if missing:
        yield Finding("libraries", WRONG, f"missing: {', '.join(missing)}", "pip install . (in a virtual environment)")
    else:
        yield Finding("libraries", FINE, f"all {len(LIBRARIES)} are installed")
    if lacking := [name for name in FOR_EPHEMERAL if importlib.util.find_spec(name) is None]:
        yield Finding("libraries", WARNING, f"missing: {', '.join(lacking)}", "pip install 'fakeredis[lua]'")


def _variables() -> Iterator[Finding]:
    unknown = sorted(name for name in os.environ if name.startswith(PREFIX) and name not in known_variables())
    if unknown:
        yield Finding("settings", WARNING, f"not looked at: {', '.join(unknown)}", ".env.example lists every setting")
    else:
        yield Finding("settings", FINE, "read")


def _data_dir(settings: Settings) -> Iterator[Finding]:
    folder = settings.data_dir
    if not folder.exists():
        above = next(parent for parent in folder.parents if parent.exists())
        if os.access(above, os.W_OK | os.X_OK):
            yield Finding("data directory", FINE, f"{folder} will be made at the first start")
        else:
            yield Finding("data directory", WRONG, f"{folder} cannot be made in {above}", "set REFEREE_DATA_DIR")
        return
    found = folder.stat()
    if found.st_uid != os.getuid() or not os.access(folder, os.W_OK | os.X_OK):
        yield Finding("data directory", WRONG, f"{folder} is not yours to write in", "set REFEREE_DATA_DIR")
        return
    mode = stat.S_IMODE(found.st_mode)
    if mode & 0o077:
        yield Finding("data directory", WRONG, f"{folder} has mode {mode:04o}", f"chmod 700 '{folder}'")
    else:
        yield Finding("data directory", FINE, str(folder))
    held = holder(folder)
    yield Finding("lock", FINE, f"{folder} is served by {held}" if held else "nobody serves the directory")
    free = shutil.disk_usage(folder).free
    if free < LEAST_FREE:
        yield Finding("disk", WARNING, f"{free >> 20} MB are free", "a full disk stops the store: make room")


def _store(settings: Settings) -> Iterator[Finding]:
    if settings.store_url is not None:
        yield _reached("store", settings.store_url, settings.store_cluster, _durable)
        return
    try:
        candidates = installed(settings.store_server)
        chosen = choose(settings.data_dir / "store", candidates)
    except HostError as wrong:
        yield Finding("store server", WRONG, str(wrong).splitlines()[0], WAYS_OUT if "Ways out" in str(wrong) else "")
        return
    others = ", ".join(map(str, (other for other in candidates if other != chosen)))
    yield Finding("store server", FINE, f"{chosen}" + (f"; also {others}" if others else ""))


def _queue(settings: Settings) -> Iterator[Finding]:
    if settings.queue_url is None:
        return
    yield _reached("queue", settings.queue_url, False, None)
    try:
        refuse_cluster(settings)
    except HostError as wrong:
        yield Finding("queue", WRONG, str(wrong), "name a plain server in REFEREE_QUEUE_URL")


def _reached(check: str, url: str, cluster: bool, lacks: Callable[[dict[str, Any]], str | None] | None) -> Finding:
    try:
        info = look(url, cluster=cluster)
    except HostError as wrong:
        return Finding(check, WRONG, str(wrong), f"start it, or correct REFEREE_{check.upper()}_URL")
    if lacks is not None and (found := lacks(info)):
        return Finding(check, WARNING, found, "appendonly yes, appendfsync always (store.md, section 6)")
    return Finding(check, FINE, f"version {info.get('redis_version')} answers")


def _durable(info: dict[str, Any]) -> str | None:
    return None if int(info.get("aof_enabled", 0)) else "it writes no log to disk, so a crash loses moves"


def _keys(settings: Settings) -> Iterator[Finding]:
    """The private files: those that are missing are made at the first start."""
    readers: tuple[tuple[str, Path, Callable[[Path], object] | None], ...] = (
        ("secret", settings.secret_file, server_secret),
        ("signing key", settings.signing_key_file, load_signer),
        ("operator token", settings.operator_hash_file, None),
    )
    for check, path, read in readers:
        if not path.exists():
            yield Finding(check, FINE, f"{path} will be made at the first start")
            continue
        try:
            wrong = exposed(path)
            if wrong is None and read is not None:
                read(path)
        except (HostError, OSError) as failed:
            wrong = str(failed)
        if wrong is None:
            yield Finding(check, FINE, str(path))
        else:
            yield Finding(check, WRONG, wrong, f"chmod 600 '{path}'" if "mode" in wrong else "replace the file")
    if pending(settings.signing_key_file):
        yield Finding("signing key", WARNING, "a rotation was broken off", "referee keys rotate")


def _archive(settings: Settings) -> Iterator[Finding]:
    """The files of archived matches: whether each is there can be told while the store runs."""
    folder = settings.archive
    if not settings.secret_file.exists():
        return
    if folder.is_dir() and (found := stat.S_IMODE(folder.stat().st_mode)) & 0o077:
        yield Finding("archive", WRONG, f"{folder} has mode {found:04o}", f"chmod 700 '{folder}'")
    try:
        url = settings.store_url or store_of(settings.data_dir)
        if url is None:
            return
        lost = gone(match_log(replace(settings, store_url=url)), Archive(folder))
    except (HostError, StoreAway) as wrong_there:
        yield Finding("archive", WARNING, f"whether its files are there cannot be said: {wrong_there}")
        return
    if lost:
        named = ", ".join(damage.match for damage in lost[:NAMED]) + (", ..." if len(lost) > NAMED else "")
        says = f"{len(lost)} archived matches have no file in {folder}: {named}"
        yield Finding("archive", WRONG, says, "put the files back from a backup; until then these matches answer 423")
    else:
        yield Finding("archive", FINE, f"{folder} has every archived match")


def _port(settings: Settings) -> Finding:
    where = f"{settings.host}:{settings.port}"
    with socket.socket(socket.AF_INET6 if ":" in settings.host else socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as wrong:
            if holder(settings.data_dir):
                return Finding("port", FINE, f"{where} is in use, as it should be while Referee runs")
            mend = f"stop what listens on {reachable(settings.host)}:{settings.port}, or set REFEREE_PORT"
            return Finding("port", WRONG, f"{where}: {wrong.strerror or wrong}", mend)
    return Finding("port", FINE, f"{where} is free")


def _print(findings: list[Finding]) -> None:
    out = console()
    marks = {FINE: "[green]ok   [/green]", WARNING: "[yellow]look [/yellow]", WRONG: "[red]WRONG[/red]"}
    for finding in findings:
        out.print(f"{marks[finding.state]} {finding.check}: ", end="")
        out.print(finding.says, markup=False)
        if finding.mend:
            out.print(f"      -> {finding.mend}", markup=False)

"""`referee doctor`: finds what is missing on this machine, and changes nothing."""

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

from referee.cli.assistants.register import INSTALL_HINT, is_sdk_installed
from referee.cli.banner import reachable_host
from referee.cli.output import make_console, print_json
from referee.eventstore.contract import StoreFull, StoreUnavailable
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.clients import (
    build_store_client,
    fetch_server_info,
    open_match_log,
    refuse_replica,
    refuse_unsuited_queue,
)
from referee.infrastructure.composition import open_signed_history
from referee.infrastructure.embedded.disk_guard import ENOUGH_BYTES, LOW_WATER_BYTES
from referee.infrastructure.embedded.servers import find_holder, find_store_url
from referee.infrastructure.embedded.store_binaries import INSTALL_HINTS, choose_binary, find_installed_binaries
from referee.infrastructure.errors import HostError
from referee.infrastructure.integrity_check import find_missing_archives
from referee.infrastructure.keyring import is_rotation_pending, load_signer
from referee.infrastructure.secrets import describe_exposure, load_server_secret
from referee.infrastructure.settings import PREFIX, Settings, SettingsError, list_variables, read_settings
from referee.infrastructure.stores.check import OVERRIDE, find_store_gaps
from referee.infrastructure.stores.requirements import KEPT_IN_MEMORY, describe_server
from referee.infrastructure.watermarks.mark_file import MARKS_HINT, MarksUnavailable
from referee.infrastructure.watermarks.sharing import require_no_other_folder

MIN_PYTHON = (3, 11)
LIBRARIES = (
    *("flask", "flask_smorest", "limits", "flask_cors", "apispec", "webargs", "marshmallow"),
    *("marshmallow_oneofschema", "redis", "rq", "cryptography", "environs", "gunicorn", "yaml", "rich", "click"),
    *("segno", "structlog", "prometheus_client", "orjson", "tree_sitter", "tree_sitter_javascript"),
)
EPHEMERAL_LIBRARIES = ("fakeredis", "lupa")
MIN_FREE_BYTES = 256 << 20
MAX_NAMED_MATCHES = 5  # in one result
FINE, WARNING, WRONG = "fine", "warning", "wrong"


@dataclass(frozen=True)
class CheckResult:
    """The result of one check: its state, what was found, and how to fix it."""

    check: str
    state: str
    says: str
    mend: str = ""


def run_doctor(data_dir: Path | None, *, as_json: bool) -> int:
    """Print the results of all checks, and return the exit code.

    It is 1 if something is wrong. A warning does not count.
    """
    try:
        settings = read_settings()
    except SettingsError as wrong:
        findings = [
            CheckResult(name, WRONG, " ".join(says), "see .env.example") for name, says in wrong.problems.items()
        ]
    else:
        if data_dir is not None:
            settings = settings.with_data_dir(data_dir.expanduser().absolute())
        findings = list(check_environment(settings))
    well = all(finding.state != WRONG for finding in findings)
    if as_json:
        print_json({"well": well, "findings": [asdict(finding) for finding in findings]})
    else:
        _print_results(findings)
    return 0 if well else 1


def check_environment(settings: Settings) -> Iterator[CheckResult]:
    """Yield the results of all checks, in the order in which a start needs them."""
    yield from _check_python()
    yield from _check_libraries()
    yield _check_assistants()
    yield from _check_variables()
    if sys.platform == "win32":
        return  # the rest is about a server
    yield from _check_data_dir(settings)
    yield from _check_store(settings)
    yield from _check_queue(settings)
    yield from _check_keys(settings)
    yield from _check_room(settings)
    yield from _check_archive(settings)
    yield from _check_marks(settings)
    yield _check_port(settings)


def _check_python() -> Iterator[CheckResult]:
    found = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < MIN_PYTHON:
        yield CheckResult("python", WRONG, found, "install Python 3.11 or later")
    else:
        yield CheckResult("python", FINE, found)
    if sys.platform == "win32":
        yield CheckResult(
            "platform", WRONG, "Windows has neither file locks nor gunicorn", "use WSL, or docker compose"
        )


def _check_libraries() -> Iterator[CheckResult]:
    missing = [name for name in LIBRARIES if importlib.util.find_spec(name) is None]
    if missing:
        yield CheckResult(
            "libraries", WRONG, f"missing: {', '.join(missing)}", "pip install . (in a virtual environment)"
        )
    else:
        yield CheckResult("libraries", FINE, f"all {len(LIBRARIES)} are installed")
    if lacking := [name for name in EPHEMERAL_LIBRARIES if importlib.util.find_spec(name) is None]:
        yield CheckResult("libraries", WARNING, f"missing: {', '.join(lacking)}", "pip install 'fakeredis[lua]'")


def _check_assistants() -> CheckResult:
    if is_sdk_installed():
        return CheckResult("assistants", FINE, "`referee mcp` answers them")
    return CheckResult("assistants", FINE, "`referee mcp` needs an extra that is not installed", INSTALL_HINT)


def _check_variables() -> Iterator[CheckResult]:
    unknown = sorted(name for name in os.environ if name.startswith(PREFIX) and name not in list_variables())
    if unknown:
        yield CheckResult("settings", WARNING, f"ignored: {', '.join(unknown)}", ".env.example lists every setting")
    else:
        yield CheckResult("settings", FINE, "read")


def _check_data_dir(settings: Settings) -> Iterator[CheckResult]:
    folder = settings.data_dir
    if not folder.exists():
        above = next(parent for parent in folder.parents if parent.exists())
        if os.access(above, os.W_OK | os.X_OK):
            yield CheckResult("data directory", FINE, f"{folder} will be made at the first start")
        else:
            yield CheckResult("data directory", WRONG, f"{folder} cannot be made in {above}", "set REFEREE_DATA_DIR")
        return
    found = folder.stat()
    if found.st_uid != os.getuid() or not os.access(folder, os.W_OK | os.X_OK):
        yield CheckResult("data directory", WRONG, f"{folder} is not writable for you", "set REFEREE_DATA_DIR")
        return
    mode = stat.S_IMODE(found.st_mode)
    if mode & 0o077:
        yield CheckResult("data directory", WRONG, f"{folder} has mode {mode:04o}", f"chmod 700 '{folder}'")
    else:
        yield CheckResult("data directory", FINE, str(folder))
    held = find_holder(folder)
    yield CheckResult("lock", FINE, f"{folder} is served by {held}" if held else "nobody serves the directory")
    free = shutil.disk_usage(folder).free
    if free < LOW_WATER_BYTES:
        mend = f"free some space: from {ENOUGH_BYTES >> 20} MB on, writes go on by themselves"
        yield CheckResult("disk", WRONG, f"{free >> 20} MB are free: matches can be read, writes get 507", mend)
    elif free < MIN_FREE_BYTES:
        says = f"{free >> 20} MB are free; below {LOW_WATER_BYTES >> 20} MB writes are refused"
        yield CheckResult("disk", WARNING, says, "free some space")


def _check_store(settings: Settings) -> Iterator[CheckResult]:
    if settings.store_url is not None:
        yield from _check_named_store(settings)
        return
    if settings.ephemeral:
        yield CheckResult("store", WARNING, KEPT_IN_MEMORY, "start without --ephemeral and REFEREE_EPHEMERAL")
    try:
        candidates = find_installed_binaries(settings.store_server)
        chosen = choose_binary(settings.data_dir / "store", candidates)
    except HostError as wrong:
        yield CheckResult(
            "store server", WRONG, str(wrong).splitlines()[0], INSTALL_HINTS if "Ways out" in str(wrong) else ""
        )
        return
    others = ", ".join(map(str, (other for other in candidates if other != chosen)))
    yield CheckResult("store server", FINE, f"{chosen}" + (f"; also {others}" if others else ""))


def _check_named_store(settings: Settings) -> Iterator[CheckResult]:
    try:
        gaps = find_store_gaps(settings)
    except HostError as wrong:
        yield CheckResult("store", WRONG, str(wrong), "start it, or correct REFEREE_STORE_URL")
        return
    state, mend = (WARNING, f"change that, and unset {OVERRIDE}") if settings.store_unsafe else (WRONG, "change that")
    for gap in gaps:
        yield CheckResult("store", state, f"it could lose what it has acknowledged: {gap}", mend)
    if not gaps:
        name = describe_server(fetch_server_info(str(settings.store_url)))
        yield CheckResult("store", FINE, f"{name} answers, and syncs before it acknowledges")
    try:
        for lacking in refuse_replica(settings):
            yield CheckResult("store", WARNING, lacking, "start replicas, or correct REFEREE_STORE_REPLICAS")
        require_no_other_folder(build_store_client(settings), settings.watermarks_path)
    except HostError as wrong:
        yield CheckResult("store", WRONG, str(wrong))


def _check_queue(settings: Settings) -> Iterator[CheckResult]:
    if settings.queue_url is None:
        return
    try:
        name = describe_server(fetch_server_info(settings.queue_url))
    except HostError as wrong:
        yield CheckResult("queue", WRONG, str(wrong), "start it, or correct REFEREE_QUEUE_URL")
        return
    try:
        refuse_unsuited_queue(settings)
    except HostError as wrong:
        yield CheckResult("queue", WRONG, str(wrong), "name a plain server in REFEREE_QUEUE_URL")
    else:
        yield CheckResult("queue", FINE, f"{name} answers")


def _check_keys(settings: Settings) -> Iterator[CheckResult]:
    """Check the private files. Missing ones are created at the first start."""
    readers: tuple[tuple[str, Path, Callable[[Path], object] | None], ...] = (
        ("secret", settings.secret_file, load_server_secret),
        ("signing key", settings.signing_key_file, load_signer),
        ("operator token", settings.operator_hash_file, None),
    )
    for check, path, read in readers:
        if not path.exists():
            yield CheckResult(check, FINE, f"{path} will be made at the first start")
            continue
        try:
            wrong = describe_exposure(path)
            if wrong is None and read is not None:
                read(path)
        except (HostError, OSError) as failed:
            wrong = str(failed)
        if wrong is None:
            yield CheckResult(check, FINE, str(path))
        else:
            yield CheckResult(check, WRONG, wrong, f"chmod 600 '{path}'" if "mode" in wrong else "replace the file")
    if is_rotation_pending(settings.signing_key_file):
        yield CheckResult("signing key", WARNING, "a rotation was interrupted", "referee keys rotate")


def _check_room(settings: Settings) -> Iterator[CheckResult]:
    """Check that the store takes writes.

    This is only possible while it runs.
    """
    if not settings.secret_file.exists():
        return
    try:
        if url := settings.store_url or find_store_url(settings.data_dir):
            open_match_log(replace(settings, store_url=url)).check_room()
    except StoreFull as full:
        mend = "free disk or memory of the store; until then matches can be read, and writes get 507"
        yield CheckResult("store", WRONG, f"it refuses writes: {full}", mend)
    except (HostError, StoreUnavailable) as wrong:
        yield CheckResult("store", WARNING, f"nobody knows whether it has room: {wrong}")


def _check_marks(settings: Settings) -> Iterator[CheckResult]:
    """Check that what was signed can be read, if anything was."""
    if not settings.watermarks_path.exists():
        return
    try:
        count = sum(1 for _ in open_signed_history(settings).marks.list_marks())
    except MarksUnavailable as wrong:
        yield CheckResult("marks", WRONG, str(wrong), MARKS_HINT)
        return
    yield CheckResult("marks", FINE, f"of {count} logs it is known what was signed")


def _check_archive(settings: Settings) -> Iterator[CheckResult]:
    """Check that each archived match has its file.

    This is only possible while the store runs.
    """
    folder = settings.archive_path
    if not settings.secret_file.exists():
        return
    if folder.is_dir() and (found := stat.S_IMODE(folder.stat().st_mode)) & 0o077:
        yield CheckResult("archive", WRONG, f"{folder} has mode {found:04o}", f"chmod 700 '{folder}'")
    try:
        url = settings.store_url or find_store_url(settings.data_dir)
        if url is None:
            return
        lost = find_missing_archives(open_match_log(replace(settings, store_url=url)), Archive(folder))
    except (HostError, StoreUnavailable) as wrong_there:
        yield CheckResult("archive", WARNING, f"its files cannot be checked: {wrong_there}")
        return
    if lost:
        named = ", ".join(damage.match for damage in lost[:MAX_NAMED_MATCHES]) + (
            ", ..." if len(lost) > MAX_NAMED_MATCHES else ""
        )
        says = f"{len(lost)} archived matches have no file in {folder}: {named}"
        yield CheckResult(
            "archive", WRONG, says, "restore the files from a backup; until then these matches answer 423"
        )
    else:
        yield CheckResult("archive", FINE, f"{folder} has every archived match")


def _check_port(settings: Settings) -> CheckResult:
    where = f"{settings.host}:{settings.port}"
    with socket.socket(socket.AF_INET6 if ":" in settings.host else socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as wrong:
            if find_holder(settings.data_dir):
                return CheckResult("port", FINE, f"{where} is in use, as it should be while Referee runs")
            mend = f"stop what listens on {reachable_host(settings.host)}:{settings.port}, or set REFEREE_PORT"
            return CheckResult("port", WRONG, f"{where}: {wrong.strerror or wrong}", mend)
    return CheckResult("port", FINE, f"{where} is free")


def _print_results(findings: list[CheckResult]) -> None:
    out = make_console()
    marks = {FINE: "[green]ok   [/green]", WARNING: "[yellow]look [/yellow]", WRONG: "[red]WRONG[/red]"}
    for finding in findings:
        out.print(f"{marks[finding.state]} {finding.check}: ", end="")
        out.print(finding.says, markup=False)
        if finding.mend:
            out.print(f"      -> {finding.mend}", markup=False)

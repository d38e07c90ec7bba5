"""`referee serve`, `api` and `worker`: run the processes of a server.

They are started in order, restarted when they die, and stopped in order.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from referee.cli.banner import build_lan_url, build_url, print_banner, reachable_host
from referee.cli.client import ApiClient
from referee.cli.commands.running.event_lines import EventLog
from referee.cli.commands.running.preload import PACKAGES_ROOT, preload_program
from referee.cli.output import print_notice
from referee.cli.processes.stop_signals import StopSignals
from referee.cli.processes.supervisor import Child, Supervisor
from referee.infrastructure.card_book_files import publish_books
from referee.infrastructure.clients import (
    STORE_ERRORS,
    FakeServers,
    build_store_client,
    hide_password,
    open_match_log,
    refuse_replica,
    refuse_unsuited_queue,
)
from referee.infrastructure.composition import recover_after_start
from referee.infrastructure.embedded.servers import EmbeddedServers
from referee.infrastructure.errors import HostError, StoreNotFoundError
from referee.infrastructure.keyring import load_signer
from referee.infrastructure.secrets import create_operator_token, load_server_secret, make_private_dir
from referee.infrastructure.settings import Settings, list_variables
from referee.infrastructure.stores.check import OVERRIDE, refuse_unsafe_store
from referee.infrastructure.telemetry.tracing import require_library
from referee.infrastructure.watermarks.sharing import claim_store

APP = "api.app:create_app()"
WORKER = "referee.infrastructure.gunicorn.worker.Worker"
GRACEFUL_SECONDS = 5  # that the API gives running requests when it stops
STOP_WITHIN = 6.0
CHILDREN_STOP_WITHIN = GRACEFUL_SECONDS + 0.5
READY_WITHIN = 60.0
LOOK_EVERY = 0.1
LOG_NAME = "referee.log"  # in the data directory, of a server at a terminal
SLEEP_AFTER_DAYS = 30  # unless a setting says otherwise
WORKERS = ("drain", "bots", "thinkers", "webhooks", "bundles", "sweeper", "archiver")


def run_server(settings: Settings, *, ephemeral: bool, lan: bool, as_json: bool) -> None:
    """Run the whole server until a stop signal comes.

    Raises HostError if it cannot start. Whatever had started is then stopped again.
    """
    require_supported_environment()
    with contextlib.ExitStack() as cleanup:
        stopping = cleanup.enter_context(StopSignals(interrupts=True))
        listener = cleanup.enter_context(open_listener(settings))
        listeners = [listener, *(cleanup.enter_context(each) for each in open_metrics_listener(settings))]
        settings = replace(settings, host=listener.getsockname()[0], port=listener.getsockname()[1])
        if lan and not settings.lan_url:
            settings = replace(settings, lan_url=build_lan_url(settings))
        if ephemeral:
            folder = tempfile.mkdtemp(prefix="referee-")
            cleanup.callback(shutil.rmtree, folder)
            settings = replace(settings.with_data_dir(Path(folder)), ephemeral=True)
        try:
            _run_processes(settings, listeners, stopping, as_json=as_json)
        except KeyboardInterrupt:
            print_notice("stopped before it had started")


def _run_processes(settings: Settings, listeners: list[socket.socket], stopping: StopSignals, *, as_json: bool) -> None:
    check_named_servers(settings)
    make_private_dir(settings.data_dir)
    load_server_secret(settings.secret_file)
    load_signer(settings.signing_key_file)
    servers: EmbeddedServers | FakeServers | None = None
    supervisor: Supervisor | None = None
    log = None if as_json or not sys.stderr.isatty() else EventLog(settings.data_dir / LOG_NAME, print_notice)
    try:
        servers = start_servers(settings)
        if servers is not None:
            settings = replace(
                settings,
                store_url=servers.store_url or settings.store_url,
                queue_url=servers.queue_url or settings.queue_url,
            )
        forks = preload_program()
        if isinstance(servers, EmbeddedServers) and servers.store_url is not None and settings.sleep_after_days is None:
            settings = replace(settings, sleep_after_days=SLEEP_AFTER_DAYS)  # hosts might not share their archives
        if not isinstance(servers, FakeServers):
            check_matches(settings)
        publish_card_books(settings)
        children = build_children(settings, listeners, forks=forks, log=None if log is None else log.descriptor)
        supervisor = Supervisor(children, print_notice)
        supervisor.start()
        _wait_until_ready(supervisor, settings, stopping)
        token = create_operator_token(settings.operator_hash_file, replace=False)
        print_banner(settings, servers, token, as_json=as_json, log=None if log is None else log.path)
        stopping.interrupts = False
        while not stopping.wait_for_stop(LOOK_EVERY):
            if log is not None:
                log.show_new_lines()
            if servers is not None:
                if told := servers.guard_disk():
                    print_notice(told)
                supervisor.restart_dead_servers(servers.find_dead_servers(), servers.restart_server)
            supervisor.restart_dead_children()
        print_notice("stopping")
    finally:
        stopping.interrupts = False
        stop_by = time.monotonic() + STOP_WITHIN
        for listener in listeners:
            listener.close()  # so that no client waits for an answer that will not come
        if supervisor is not None:
            supervisor.stop(CHILDREN_STOP_WITHIN)
        if servers is not None:
            servers.stop(stop_by - time.monotonic())
        if log is not None:
            log.close()


def require_supported_environment() -> None:
    """Raise HostError on Windows, with a debugger, and for traces that cannot be sent."""
    if sys.platform == "win32":
        raise HostError("Referee's server does not run on Windows itself: use WSL, or `docker compose up`")
    if os.environ.get("FLASK_DEBUG", "").lower() not in ("", "0", "false", "no"):
        raise HostError("FLASK_DEBUG is set; a debugger on an open port gives away the machine: unset it")
    require_library()


def check_matches(settings: Settings) -> None:
    """Prepare the store for this start, and say which matches are damaged.

    Those are frozen, and the others go on. Raises HostError.
    """
    for damage in recover_after_start(settings):
        print_notice(f"DAMAGED and frozen: {damage}")


def publish_card_books(settings: Settings) -> None:
    """Publish the card books of the host's directory, if there is one.

    Raises CardBookFileError.
    """
    if settings.cards_dir is None:
        return
    for book in publish_books(open_match_log(settings), settings.cards_dir):
        print_notice(f"published {book.edition}, {len(book.entries)} cards for {book.game}")


def start_servers(settings: Settings) -> EmbeddedServers | FakeServers | None:
    """Start the servers that no URL names; return None if both are named.

    If no store server is installed, `--ephemeral` falls back to a fake one in this process. Raises HostError.
    """
    store, queue = settings.store_url is None, settings.queue_url is None
    if settings.ephemeral and not (store and queue):
        raise HostError("--ephemeral starts a store of its own: unset REFEREE_STORE_URL and REFEREE_QUEUE_URL")
    if not (store or queue):
        return None
    keeper = EmbeddedServers(
        settings.data_dir, store=store, queue=queue, durable=not settings.ephemeral, server=settings.store_server
    )
    try:
        keeper.start()
    except StoreNotFoundError:
        if not settings.ephemeral or settings.store_server is not None:
            raise
        return FakeServers()
    return keeper


def check_named_servers(settings: Settings, *, both: bool = False) -> None:
    """Check the store and the queue that the settings name.

    Raises HostError if one does not answer or is too old, if the store could lose what it has acknowledged, unless the
    settings allow that, if its marks are kept elsewhere, and if the queue is a cluster; with `both` also if one of
    them is not named.
    """
    if both and (settings.store_url is None or settings.queue_url is None):
        raise StoreNotFoundError(
            "REFEREE_STORE_URL and REFEREE_QUEUE_URL are both needed here; `referee serve` needs neither"
        )
    if settings.store_url is not None and not settings.ephemeral:
        for gap in refuse_unsafe_store(settings):
            print_notice(f"UNSAFE store ({OVERRIDE} allows it): {gap}")
    for lacking in refuse_replica(settings):
        print_notice(lacking)
    refuse_unsuited_queue(settings)
    claim_marks(settings)


def claim_marks(settings: Settings) -> None:
    """Keep in a named store where its marks are.

    Raises OtherMarksError if they are elsewhere.
    """
    if settings.store_url is None or settings.store_url.startswith("fake:"):
        return
    try:
        claim_store(build_store_client(settings), settings.watermarks_path)
    except STORE_ERRORS as wrong:
        raise StoreNotFoundError(f"{hide_password(settings.store_url)} does not answer: {wrong}") from wrong


@contextlib.contextmanager
def open_listener(settings: Settings) -> Iterator[socket.socket]:
    """Open the listening socket.

    It is opened here, before anything starts, so that a port in use shows at once. Raises HostError.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as wrong:
        raise HostError(f"REFEREE_HOST: {settings.host}: {wrong}") from wrong
    with listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(address)
        except OSError as wrong:
            raise HostError(
                f"port {settings.port} of {settings.host} cannot be used: {wrong.strerror}; give another with --port"
            ) from wrong
        listener.listen(1024)
        yield listener


def open_metrics_listener(settings: Settings) -> Iterator[contextlib.AbstractContextManager[socket.socket]]:
    """Yield the listening socket of the metrics, if they have their own address."""
    if settings.metrics_bind is not None:
        host, port = settings.metrics_bind
        yield open_listener(replace(settings, host=host, port=port))


def build_children(
    settings: Settings, listeners: list[socket.socket], *, forks: bool, log: int | None = None
) -> list[Child]:
    """Return the child processes: the API, then the workers, then the sweeper.

    `log` is the descriptor to which they write their log, None for the standard error of this process.
    """
    environment = build_child_environment(settings)
    bound = tuple(listener.fileno() for listener in listeners)
    arguments = build_gunicorn_arguments(settings, *(f"fd://{number}" for number in bound))
    api = Child("API", "gunicorn", arguments, environment, bound, forks)
    children = [api, *build_worker_children(settings, WORKERS, forks=forks)]
    return [replace(child, log=log) for child in children]


def build_worker_children(settings: Settings, names: tuple[str, ...], *, forks: bool) -> list[Child]:
    """Return the workers of those names, as many of each as the settings say."""
    errands = (settings.close_lobbies_after_days, settings.sleep_after_days, settings.archive_after_days is not None)
    archivers = 1 if any(errands) else 0
    counts = {"drain": settings.drain_workers, "bots": settings.bot_workers}
    counts |= {"thinkers": settings.thinker_workers, "archiver": archivers}
    environment = build_child_environment(settings)
    return [
        Child(name if name in ("sweeper", "archiver") else f"{name} worker", "workers", (name,), environment, (), forks)
        for name in names
        for _ in range(counts.get(name, 1))
    ]


def build_child_environment(settings: Settings) -> dict[str, str]:
    """Return the environment of a child process: the settings, and the packages' path.

    The current directory is not on that path, because anything there might be called `api`.
    """
    kept = {name: value for name, value in os.environ.items() if name not in list_variables()}
    path = [part for part in (os.environ.get("PYTHONPATH"), str(PACKAGES_ROOT)) if part]
    return kept | settings.to_environment() | {"PYTHONPATH": os.pathsep.join(path), "PYTHONSAFEPATH": "1"}


def build_gunicorn_arguments(settings: Settings, *binds: str) -> list[str]:
    """Return gunicorn's arguments: few processes, many threads, a short grace period.

    The proportions were measured.
    """
    return [
        *("--worker-class", WORKER, "--workers", str(settings.workers), "--threads", str(settings.threads)),
        *(part for bind in binds for part in ("--bind", bind)),
        *("--graceful-timeout", str(GRACEFUL_SECONDS), "--chdir", str(PACKAGES_ROOT)),
        *("--config", "python:referee.infrastructure.gunicorn.config"),
        *("--no-control-socket", "--log-level", "warning" if settings.log_level == "info" else settings.log_level),
        APP,
    ]


def _wait_until_ready(supervisor: Supervisor, settings: Settings, stopping: StopSignals) -> None:
    """Wait until the API answers. Raises HostError if it ends or takes too long."""
    api = supervisor.children[0]
    deadline = time.monotonic() + READY_WITHIN
    while not is_api_alive(settings):
        if not api.is_running():
            raise HostError("the API ended while it was starting; its messages are above")
        if time.monotonic() > deadline:
            raise HostError(f"the API has not answered within {READY_WITHIN:g} s")
        stopping.wait_for_stop(0.05)


def is_api_alive(settings: Settings) -> bool:
    """Whether the API at this address reports that it is alive."""
    return ApiClient(build_url(reachable_host(settings.host), settings.port), timeout=2).is_alive()


def run_api(settings: Settings) -> None:
    """Replace this process by the API alone. Never returns.

    Store and queue run elsewhere. Raises HostError.
    """
    require_supported_environment()
    check_named_servers(settings, both=True)
    check_matches(settings)
    publish_card_books(settings)
    addresses = ((settings.host, settings.port), settings.metrics_bind)
    binds = (build_url(*address).removeprefix("http://") for address in addresses if address is not None)
    argv = [sys.executable, "-m", "gunicorn", *build_gunicorn_arguments(settings, *binds)]
    os.execve(sys.executable, argv, build_child_environment(settings))  # noqa: S606  (our own interpreter, no shell)


def run_workers(settings: Settings, names: tuple[str, ...]) -> None:
    """Run workers alone until a stop signal comes.

    Store and queue run elsewhere. Raises HostError.
    """
    require_supported_environment()
    check_named_servers(settings, both=True)
    check_matches(settings)
    with StopSignals(interrupts=True) as stopping:
        supervisor = Supervisor([], print_notice)
        try:
            supervisor.children = build_worker_children(settings, names, forks=preload_program())
            supervisor.start()
            stopping.interrupts = False
            while not stopping.wait_for_stop(LOOK_EVERY):
                supervisor.restart_dead_children()
        except KeyboardInterrupt:
            print_notice("stopped before it had started")
        finally:
            stopping.interrupts = False
            supervisor.stop(CHILDREN_STOP_WITHIN)

"""`referee serve`, `api` and `worker`: the processes of a server, started, watched and stopped in order."""

from __future__ import annotations

import contextlib
import http.client
import os
import shutil
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import FrameType

import referee
from referee.cli.banner import announce, reachable, url_of
from referee.cli.output import aside
from referee.cli.supervisor import Child, Supervisor
from referee.infrastructure.card_book_files import stock
from referee.infrastructure.clients import FakeServers, look, match_log, refuse_cluster
from referee.infrastructure.composition import after_start
from referee.infrastructure.embedded.servers import Keeper
from referee.infrastructure.errors import HostError, NoStore
from referee.infrastructure.keyring import load_signer
from referee.infrastructure.secrets import new_operator_token, private_dir, server_secret
from referee.infrastructure.settings import Settings, known_variables

APP = "api.app:create_app()"
WORKER = "referee.infrastructure.gunicorn.worker.Worker"
GRACE = 5  # seconds the API gives requests that are under way
STOP_WITHIN = 6.0
CHILDREN_STOP_WITHIN = GRACE + 0.5
READY_WITHIN = 60.0
LOOK_EVERY = 0.1
WORKERS = ("drain", "bots", "webhooks", "bundles", "sweeper", "archiver")
HOME = Path(referee.__file__).parent.parent  # where `api` and `workers` lie beside `referee`


class Stopping:
    """SIGINT and SIGTERM: while starting they break off at once; later they are noted, so that all stops in order."""

    def __init__(self) -> None:
        self._asked = threading.Event()
        self.starting = True

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._asked.set()
        if self.starting:
            self.starting = False  # the way down is not broken off by a second Ctrl-C
            raise KeyboardInterrupt

    def __enter__(self) -> Stopping:
        self._before = {number: signal.signal(number, self._note) for number in (signal.SIGINT, signal.SIGTERM)}
        return self

    def __exit__(self, *exception: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def wait(self, seconds: float) -> bool:
        """Waits that long at most; whether a stop was asked for."""
        return self._asked.wait(seconds)


def serve(settings: Settings, *, ephemeral: bool, lan: bool, as_json: bool) -> None:
    """Runs everything until it is told to stop. Raises HostError if it cannot start; all it had started is stopped."""
    fit_to_serve()
    with contextlib.ExitStack() as cleanup:
        stopping = cleanup.enter_context(Stopping())
        listener = cleanup.enter_context(listen(settings))
        settings = replace(settings, host=listener.getsockname()[0], port=listener.getsockname()[1])
        if ephemeral:
            folder = tempfile.mkdtemp(prefix="referee-")
            cleanup.callback(shutil.rmtree, folder)
            settings = replace(settings.within(Path(folder)), ephemeral=True)
        try:
            _run(settings, listener, stopping, lan=lan, as_json=as_json)
        except KeyboardInterrupt:
            aside("stopped before it had started")


def _run(settings: Settings, listener: socket.socket, stopping: Stopping, *, lan: bool, as_json: bool) -> None:
    check_named(settings)
    private_dir(settings.data_dir)
    server_secret(settings.secret_file)
    load_signer(settings.signing_key_file)
    servers: Keeper | FakeServers | None = None
    supervisor: Supervisor | None = None
    try:
        servers = start_servers(settings)
        if servers is not None:
            settings = replace(
                settings,
                store_url=servers.store_url or settings.store_url,
                queue_url=servers.queue_url or settings.queue_url,
            )
        if isinstance(servers, Keeper) and servers.store_url is not None:
            for damage in after_start(settings):
                aside(f"DAMAGED and frozen: {damage}")
        stocked(settings)
        supervisor = Supervisor(children(settings, listener), aside)
        supervisor.start()
        _await_ready(supervisor, settings, stopping)
        token = new_operator_token(settings.operator_hash_file, replace=False)
        announce(settings, servers, token, lan=lan, as_json=as_json)
        stopping.starting = False
        while not stopping.wait(LOOK_EVERY):
            if servers is not None:
                supervisor.mend(servers.dead(), servers.restart)
            supervisor.look()
        aside("stopping")
    finally:
        stopping.starting = False
        stop_by = time.monotonic() + STOP_WITHIN
        listener.close()  # nobody is to wait for an answer that will not come
        if supervisor is not None:
            supervisor.stop(CHILDREN_STOP_WITHIN)
        if servers is not None:
            servers.stop(stop_by - time.monotonic())


def fit_to_serve() -> None:
    """Raises HostError on what no server may run with."""
    if sys.platform == "win32":
        raise HostError("Referee's server does not run on Windows itself: use WSL, or `docker compose up`")
    if os.environ.get("FLASK_DEBUG", "").lower() not in ("", "0", "false", "no"):
        raise HostError("FLASK_DEBUG is set; a debugger on an open port gives the machine away: unset it")


def stocked(settings: Settings) -> None:
    """Publishes the card books of the host's directory, if there is one. Raises BadBook."""
    if settings.cards_dir is None:
        return
    for book in stock(match_log(settings), settings.cards_dir):
        aside(f"published {book.edition}, {len(book.entries)} cards for {book.game}")


def start_servers(settings: Settings) -> Keeper | FakeServers | None:
    """The servers that no URL names, started; None if both are named. Raises HostError."""
    store, queue = settings.store_url is None, settings.queue_url is None
    if settings.ephemeral and not (store and queue):
        raise HostError("--ephemeral starts a store of its own: unset REFEREE_STORE_URL and REFEREE_QUEUE_URL")
    if not (store or queue):
        return None
    keeper = Keeper(
        settings.data_dir, store=store, queue=queue, durable=not settings.ephemeral, server=settings.store_server
    )
    try:
        keeper.start()
    except NoStore:
        if not settings.ephemeral or settings.store_server is not None:
            raise
        return FakeServers()
    return keeper


def check_named(settings: Settings, *, both: bool = False) -> None:
    """Raises HostError if a store or queue that was named is away, too old, or a queue of the wrong kind; with `both`
    also if one of them is not named."""
    if both and (settings.store_url is None or settings.queue_url is None):
        raise NoStore("REFEREE_STORE_URL and REFEREE_QUEUE_URL are both needed here; `referee serve` needs neither")
    for url, cluster in ((settings.store_url, settings.store_cluster), (settings.queue_url, False)):
        if url is not None:
            look(url, cluster=cluster)
    refuse_cluster(settings)


@contextlib.contextmanager
def listen(settings: Settings) -> Iterator[socket.socket]:
    """The listening socket, made here so that a port in use shows at once. Raises HostError."""
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


def children(settings: Settings, listener: socket.socket) -> list[Child]:
    """The API, then the workers, then the sweeper."""
    environment = child_environment(settings)
    bound = listener.fileno()
    api = Child("API", "gunicorn", gunicorn_arguments(settings, f"fd://{bound}"), environment, pass_fds=(bound,))
    return [api, *worker_children(settings, WORKERS)]


def worker_children(settings: Settings, names: tuple[str, ...]) -> list[Child]:
    """The workers of those names, as many of each as the settings say."""
    archivers = 0 if settings.archive_after_days is None else 1
    counts = {"drain": settings.drain_workers, "bots": settings.bot_workers, "archiver": archivers}
    environment = child_environment(settings)
    return [
        Child(name if name in ("sweeper", "archiver") else f"{name} worker", "workers", (name,), environment)
        for name in names
        for _ in range(counts.get(name, 1))
    ]


def child_environment(settings: Settings) -> dict[str, str]:
    """What a child process finds: these settings, and where the packages lie. It looks for none in the current
    directory, where anything might be called `api`."""
    kept = {name: value for name, value in os.environ.items() if name not in known_variables()}
    path = [part for part in (os.environ.get("PYTHONPATH"), str(HOME)) if part]
    return kept | settings.environment() | {"PYTHONPATH": os.pathsep.join(path), "PYTHONSAFEPATH": "1"}


def gunicorn_arguments(settings: Settings, bind: str) -> list[str]:
    """How gunicorn is run (measured in api.md, section 3): few processes, many threads, no long goodbye."""
    return [
        *("--worker-class", WORKER, "--workers", str(settings.workers), "--threads", str(settings.threads)),
        *("--bind", bind, "--graceful-timeout", str(GRACE), "--chdir", str(HOME)),
        *("--config", "python:referee.infrastructure.gunicorn.config"),
        *("--no-control-socket", "--log-level", "warning" if settings.log_level == "info" else settings.log_level),
        APP,
    ]


def _await_ready(supervisor: Supervisor, settings: Settings, stopping: Stopping) -> None:
    """Waits until the API answers. Raises HostError if it ends instead, or takes too long."""
    api = supervisor.children[0]
    deadline = time.monotonic() + READY_WITHIN
    while not answers(settings):
        if not api.running():
            raise HostError("the API ended while it was starting; what it said stands above")
        if time.monotonic() > deadline:
            raise HostError(f"the API has not answered within {READY_WITHIN:g} s")
        stopping.wait(0.05)


def answers(settings: Settings) -> bool:
    """Whether the API at this address says that it is alive."""
    line = http.client.HTTPConnection(reachable(settings.host), settings.port, timeout=2)
    try:
        line.request("GET", "/healthz")
        return line.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        line.close()


def run_api(settings: Settings) -> None:
    """Becomes the API alone: store and queue are elsewhere. Does not come back. Raises HostError."""
    fit_to_serve()
    check_named(settings, both=True)
    stocked(settings)
    bind = url_of(settings.host, settings.port).removeprefix("http://")
    argv = [sys.executable, "-m", "gunicorn", *gunicorn_arguments(settings, bind)]
    os.execve(sys.executable, argv, child_environment(settings))  # noqa: S606  (our own interpreter, no shell)


def run_workers(settings: Settings, names: tuple[str, ...]) -> None:
    """Runs workers alone until told to stop: store and queue are elsewhere. Raises HostError."""
    fit_to_serve()
    check_named(settings, both=True)
    with Stopping() as stopping:
        supervisor = Supervisor(worker_children(settings, names), aside)
        try:
            supervisor.start()
            stopping.starting = False
            while not stopping.wait(LOOK_EVERY):
                supervisor.look()
        except KeyboardInterrupt:
            aside("stopped before it had started")
        finally:
            stopping.starting = False
            supervisor.stop(CHILDREN_STOP_WITHIN)

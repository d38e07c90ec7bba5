"""What a starting server prints: its addresses, the operator token, a QR code."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

from referee.cli.output import make_console, print_json
from referee.infrastructure.clients import FakeServers
from referee.infrastructure.embedded.servers import EmbeddedServers
from referee.infrastructure.settings import Settings


def reachable_host(host: str) -> str:
    """Return the address at which this machine reaches the server.

    A server that listens on all addresses is reached on the loopback address.
    """
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104  (read, not bound)


def build_url(host: str, port: int) -> str:
    """Return the URL of a host and port, with an IPv6 address in brackets."""
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def find_lan_address() -> str | None:
    """Return this machine's address in its network; None without a network.

    Nothing is sent.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address: it only makes the kernel choose a route
        except OSError:
            return None
        return str(probe.getsockname()[0])


def build_lan_url(settings: Settings) -> str:
    """Return the URL at which other devices of the network reach this server."""
    return build_url(find_lan_address() or settings.host, settings.port)


def print_banner(
    settings: Settings,
    servers: EmbeddedServers | FakeServers | None,
    token: str | None,
    *,
    as_json: bool,
    log: Path | None = None,
) -> None:
    """Print where the server is and what to try next.

    The operator token is shown only this once, last, so that nothing pushes it out of sight. It is None if there was
    one before. `log` is the file of the log, None if it is on standard error.
    """
    url = build_url(reachable_host(settings.host), settings.port)
    lan_url = settings.lan_url or None
    if isinstance(servers, EmbeddedServers):
        store = str(servers.binary)
    else:
        store = "in this process (fakeredis)" if isinstance(servers, FakeServers) else "named by REFEREE_STORE_URL"
    durable = not settings.ephemeral
    if as_json:
        data = None if settings.ephemeral else str(settings.data_dir)
        print_json(
            {"url": url, "lan_url": lan_url, "store": store, "durable": durable, "data_dir": data}
            | {"operator_token": token, "process": os.getpid()}
        )
        return
    out = make_console()
    out.print(f"Referee is at [bold]{url}/[/bold]  (open it in a browser)")
    if settings.public_url:
        out.print(f"For everybody: [bold]{settings.public_url}/[/bold]")
    if not durable:
        out.print("[bold]NOT DURABLE[/bold]: everything is kept in memory, and gone when this stops")
    out.print(f"  store  {store}" + (f", data in {settings.data_dir}" if durable else ""))
    if log is not None:
        out.print(f"  log    {log}")
    out.print(f"  try    curl -s {url}/v1/games")
    out.print(f"         REFEREE_API_URL={url} referee demo")
    out.print("  stop   Ctrl-C")
    if lan_url is not None:
        out.print(f"At the same table: [bold]{lan_url}/[/bold]  (everyone on this network can reach it)")
        import segno

        segno.make_qr(lan_url + "/", error="m").terminal(compact=True)
    if token is not None:
        out.print("Operator token, shown this once:")
        out.print(f"  {token}")
    sys.stdout.flush()

"""`referee demo`: bots play every game over the API, and the last match is shown.

If no API answers, a temporary one is started on a free port. It keeps everything in memory and is stopped at the end.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from rich.markup import escape

from referee.cli.client import ApiClient
from referee.cli.commands.running.serve import build_child_environment
from referee.cli.output import make_console, print_json, print_notice
from referee.cli.processes.parent_watchdog import build_command
from referee.cli.progress import show_progress
from referee.cli.timeline_output import render_entries, render_headline
from referee.infrastructure.errors import HostError
from referee.infrastructure.settings import Settings

UNFINISHED = frozenset({"lobby", "running", "disputed"})
POLL_SECONDS = 0.5
SERVER_READY_WITHIN = 90.0


@dataclass
class DemoMatch:
    """One match of the demonstration."""

    game: str
    variant: str | None
    id: str
    host: ApiClient
    about: dict[str, Any]

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.about["status"] not in UNFINISHED


def run_demo(
    settings: Settings, *, games: tuple[str, ...], level: int, lang: str, minutes: float, as_json: bool, given: bool
) -> None:
    """Play a match of every game and variant, or of the games named.

    `given`: an address was given, so no temporary server may take its place. Raises HostError if a match cannot be
    opened or does not end in time.
    """
    with contextlib.ExitStack() as cleanup:
        client = ApiClient(settings.api_url, settings.token)
        if not client.is_alive():
            if given or "REFEREE_API_URL" in os.environ:
                raise HostError(f"no API answers at {settings.api_url}")
            print_notice(f"no API answers at {settings.api_url}; starting a temporary one")
            client = ApiClient(cleanup.enter_context(temporary_server(settings)))
        matches = [open_match(client, game, variant, level) for game, variant in choose_variants(client, games)]
        _wait_for_end(matches, minutes, as_json=as_json)
        last = matches[-1]
        entries = list(client.get_entries(last.id))
        if as_json:
            print_json({"matches": [match.about for match in matches], "last": entries})
            return
        out = make_console()
        for match in matches:
            out.print(escape(render_headline(match.about, lang)))
        out.print()
        for line in render_entries(entries, lang, last.about):
            out.print(line)


def choose_variants(client: ApiClient, games: tuple[str, ...]) -> list[tuple[dict[str, Any], str | None]]:
    """Return every chosen game, once for each of its variants.

    Raises HostError if the API lacks one of the games.
    """
    boxes = client.get("/v1/games").body
    listed: list[dict[str, Any]] = boxes["items"] if isinstance(boxes, dict) else boxes
    if missing := set(games) - {box["name"] for box in listed}:
        raise HostError(f"the API has no {', '.join(sorted(missing))}; it has {', '.join(b['name'] for b in listed)}")
    chosen = [box for box in listed if not games or box["name"] in games]
    return [(box, variant) for box in chosen for variant in box.get("variants") or [None]]


def open_match(client: ApiClient, box: dict[str, Any], variant: str | None, level: int) -> DemoMatch:
    """Open and start a public match of bots, with the fewest seats possible."""
    command: dict[str, Any] = {
        "game": box["name"],
        "seats": [{"kind": "bot", "level": level}] * int(box["min_seats"]),
        "visibility": "public",
    }
    if variant is not None:
        command["variant"] = variant
    opened = client.post("/v1/matches", command)
    host = client.with_token(opened.body["token"])
    name: str = opened.body["match"]
    host.post(f"/v1/matches/{name}/start", {}, if_match=opened.etag or host.get(f"/v1/matches/{name}").etag)
    return DemoMatch(box["name"], variant, name, host, host.get(f"/v1/matches/{name}").body)


def _wait_for_end(matches: list[DemoMatch], minutes: float, *, as_json: bool) -> None:
    """Wait until all matches have ended, and show progress meanwhile.

    Raises HostError when the time is up.
    """
    deadline = time.monotonic() + 60 * minutes
    with show_progress("matches", len(matches), is_hidden=as_json) as note:
        while not all(match.is_over for match in matches):
            for match in matches:
                if not match.is_over:
                    match.about = match.host.get(f"/v1/matches/{match.id}").body
            versions = ", ".join(f"{match.game} {match.about['version']}" for match in matches if not match.is_over)
            note(sum(match.is_over for match in matches), label=versions or "matches")
            if time.monotonic() > deadline:
                raise HostError(f"not ended within {minutes:g} minutes: {versions}")
            time.sleep(POLL_SECONDS)


@contextlib.contextmanager
def temporary_server(settings: Settings) -> Iterator[str]:
    """Run a server that keeps everything in memory, and yield its address.

    It is stopped at the end. Raises HostError if it does not start.
    """
    server = subprocess.Popen(  # noqa: S603  (this program itself)
        build_command("referee.cli", "serve", "--ephemeral", "--host", "127.0.0.1", "--port", "0", "--json"),
        env=build_child_environment(replace(settings, store_url=None, queue_url=None, log_level="warning")),
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        assert server.stdout is not None
        readable, _, _ = select.select([server.stdout], [], [], SERVER_READY_WITHIN)
        line = server.stdout.readline() if readable else b""
        if not line:
            raise HostError("the temporary server did not start; its messages are above")
        yield json.loads(line)["url"]
    finally:
        server.send_signal(signal.SIGTERM)
        try:
            server.wait(15)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()

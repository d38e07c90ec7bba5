"""Puts the parts of the table together."""

from __future__ import annotations

import sys
from dataclasses import replace
from io import TextIOWrapper
from typing import Any

import click

from referee.cli.table import opening
from referee.cli.table.drawing.screen import find_headline, find_title
from referee.cli.table.drawing.words import Words
from referee.cli.table.following import Follower, Line
from referee.cli.table.plain import PlainTable
from referee.cli.table.seats import SavedSeat, save_seat
from referee.cli.table.state import TableState
from referee.docs.clients.referee_client import DeviceKey, SeedChain


def show_table(saved: SavedSeat, *, lang: str, is_plain: bool, watches: bool) -> None:
    """Show a match until it is left or has ended. Raises HostError."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal without UTF-8 shows what it can
    opening.require_server(saved.base)
    seat = None if watches else saved.seat
    state = TableState(saved.match, seat, Words(lang))
    line = Line(saved.base, saved.token, saved.match, seat or 0, lang)
    about = opening.call(line, "GET", f"/v1/matches/{saved.match}")
    title = find_title(about, opening.call(line, "GET", "/v1/games")["items"], lang)
    kept, chain, key = None if watches else saved, None, None
    if kept is not None and seat is not None:
        chain, key = SeedChain(bytes.fromhex(kept.chain)), DeviceKey(bytes.fromhex(kept.key))
        kept = replace(kept, chain=chain.end.hex(), key=key.secret.hex())
        save_seat(kept)
    if is_plain:
        follower = Follower(line, seat, lambda name, data: plain.news.put((name, data)), chain, key)
        plain = PlainTable(state, follower, kept)
        print(title, flush=True)
        return plain.run()
    show_on_terminal(state, line, kept, title, chain, key)


def show_on_terminal(
    state: TableState,
    line: Line,
    saved: SavedSeat | None,
    title: str,
    chain: SeedChain | None = None,
    key: DeviceKey | None = None,
) -> None:
    """Show a match on the whole screen; afterwards one line says how it stands."""
    from referee.cli.table.keys import open_terminal
    from referee.cli.table.loop import Table

    with open_terminal() as terminal:

        def post(name: str, data: Any) -> None:
            table.news.put((name, data))
            terminal.wake_up()

        watched = Line(
            line.base, line.token, line.match, line.seat, line.language, on_line=lambda is_open: post("line", is_open)
        )
        table = Table(state, Follower(watched, state.seat, post, chain, key), saved)
        table.shown.title = title
        table.run(terminal)
    if state.view is not None:
        click.echo(f"{title}: {find_headline(state)}")
    if state.seat is not None and not (state.view and state.view["outcome"]):
        click.echo(state.words.t("go_on", link=f"{line.base}/play#{state.match}/{state.seat}"))

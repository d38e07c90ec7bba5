"""The board of a match: what a viewer's client draws of it, and who sits at it."""

from __future__ import annotations

import zlib
from typing import Annotated, Any, Literal, TypedDict

from referee.engine.seats import BYSTANDER
from referee.match.aggregate import FINAL_STATUSES
from referee.match.loaded import LoadedMatch
from referee.queries.views import VIEWER_NAMES, awaited_response, outcome_response
from referee.queries.visible_entries import draw_board
from referee.rendering import summary, texts

COLORS = 7  # between which seats are told apart


class SeatInfo(TypedDict):
    """Who sits at a seat.

    Name and connection are those of now, even beside a board of the past.
    """

    seat: int
    name: Annotated[str | None, "The name the player chose; null: none, or it was deleted"]
    color: Annotated[int, "The number of a colour, from 0 to 6; it stays the same for the match"]
    kind: Annotated[Literal["human", "bot", "table"], "table: a seat without a device"]
    level: Annotated[int | None, "Of a bot: its level, 0 random … 3 searching"]
    is_taken: Annotated[bool, "Whether a player has joined at the seat"]
    is_connected: Annotated[
        bool | None,
        "Whether a client of the player listens to a stream or waits for an answer, or did a few seconds ago. The seat "
        "that asks is connected. Null: the seat has no client, or this viewer sees the match late",
    ]


def list_seat_infos(loaded: LoadedMatch, viewer: int) -> list[SeatInfo]:
    """Return who sits at each seat of a loaded match, as the viewer may know it."""
    people, is_late = loaded.people, is_late_onlooker(loaded, viewer)
    infos: list[SeatInfo] = []
    for seat, chair in enumerate(loaded.match.chairs):
        kind: Literal["human", "bot", "table"] = chair.kind  # type: ignore[assignment]  # a str in the stored class
        infos.append(
            {
                "seat": seat,
                "name": people.names.get(str(seat)),
                "color": seat % COLORS,
                "kind": kind,
                "level": chair.level if kind == "bot" else None,
                "is_taken": chair.taken,
                "is_connected": None if is_late or kind != "human" else seat == viewer or seat in people.present,
            }
        )
    return infos


def mark_people(loaded: LoadedMatch, viewer: int) -> str:
    """Return a mark of the names and connections that the viewer is shown.

    They change without a version. Empty: nobody has a name, and nobody else is connected.
    """
    shown = [
        (info["name"], info["is_connected"] and info["seat"] != viewer) for info in list_seat_infos(loaded, viewer)
    ]
    is_bare = all(name is None and not is_connected for name, is_connected in shown)
    return "" if is_bare else f"{zlib.crc32(repr(shown).encode()):08x}"


def is_late_onlooker(loaded: LoadedMatch, viewer: int) -> bool:
    """Return whether a viewer sees the match late.

    Such a viewer must not see who is present now.
    """
    is_over = loaded.match.status in FINAL_STATUSES
    return viewer == BYSTANDER and loaded.match.spectator_delay > 0 and not is_over


def board_response(loaded: LoadedMatch, viewer: int) -> dict[str, Any]:
    """Return a loaded match as it is drawn for a viewer, as plain data.

    It is built from the viewer's view alone, but for who sits there. Before the start there is no board.
    """
    seen = loaded.match.view_for(viewer)
    table, game = seen.state, seen.rules
    is_open = table is not None and bool(table.agenda) and seen.status not in FINAL_STATUSES
    return {
        "match": loaded.match.id,
        "version": loaded.version,
        "status": seen.status,
        "viewer": VIEWER_NAMES.get(viewer, int(viewer)),
        "seats": list_seat_infos(loaded, viewer),
        "board": None if table is None else draw_board(game, loaded.match, viewer),
        "sums": [summary.term_response(game, each) for each in game.breakdowns.compute_totals(table)]
        if is_open
        else [],
        "question": texts.question_response(game, table) if is_open and table is not None else None,
        "awaits": awaited_response(seen),
        "outcome": outcome_response(seen),
    }

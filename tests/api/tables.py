"""Real tables for tests of the API: matches whose dice or cards people report."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from flask import Flask

from referee.engine.chance import Roll
from referee.eventstore.memory.log import MemoryLog
from referee.match.aggregate import Match
from referee.service.match_service import MatchService
from tests.api import house
from tests.api.house import Person, Table


def dice_table(app: Flask, **more: Any) -> Table:
    """Here to Slay with real dice; the server deals the cards."""
    return house.opened(app, "here_to_slay", 3, chance={"dice": "table", "deck": "server"}, **more)


def card_table(app: Flask, seats: int = 2, **more: Any) -> Table:
    """Monster Combat with real cards."""
    return house.opened(app, "monster_combat", seats, chance="table", **more)


def service(table: Table) -> MatchService:
    found: MatchService = table.anyone.client.application.config["SERVICE"]
    return found


def stands(table: Table) -> Match:
    """The match as the desk has it."""
    return service(table).load_match(table.match).match


def later(table: Table, ms: int) -> None:
    """Lets so much time pass."""
    log = service(table).log
    assert isinstance(log, MemoryLog)
    log.advance_clock(ms)


def played_until(table: Table, there: Callable[[Any], bool], seed: int = 1, most: int = 300) -> None:
    """Plays on by chance until the state is one that is looked for; seat 0 reports, and another confirms it."""
    dice = random.Random(seed)
    for _ in range(most):
        match = stands(table)
        if match.witnessing is not None:
            confirmed = attests(table, match.witnessing.report, table.seats[match.witnessing.asks[0]])
            assert confirmed.status_code == 201, confirmed.text
            continue
        if there(match.state):
            return
        awaited = table.awaited
        assert awaited, "the match is over, or waits"
        who = awaited[0]
        by = table.seats[0] if who == "chance" else None
        legal = [each["move"] for each in table.moves(who, by)["legal"]]
        options = [move for move in legal if not move["type"].endswith(("concede", "leave"))]
        made = table.move(who, dice.choice(options), by)
        assert made.status_code == 201, made.text
    raise AssertionError("what was looked for never came")


def asks_for_dice(state: Any) -> bool:
    """Whether two dice are to be rolled."""
    return isinstance(state.agenda[-1], Roll) and state.agenda[-1].dice == 2


def reports(table: Table, move: dict[str, Any], by: int = 0) -> int:
    """Reports what chance has shown; the entry."""
    made = table.move("chance", move, table.seats[by])
    assert made.status_code == 201, made.text
    return int(made.json["entry"]["version"])  # type: ignore[index]


def rolled(*values: int) -> dict[str, Any]:
    return {"type": "chance.rolled", "values": list(values)}


def corrects(table: Table, entry: int, move: dict[str, Any], by: Person, **headers: str) -> Any:
    return by.post(f"{table.path}/entries/{entry}/corrections", {"move": move}, **headers)


def attests(table: Table, entry: int, by: Person, holds: bool = True, **more: Any) -> Any:
    return by.post(f"{table.path}/entries/{entry}/attestations", {"holds": holds, **more})

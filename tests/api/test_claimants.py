"""One person with several tokens, over HTTP: who opens a dispute without a seat, and who then decides it."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from tests.api import house
from tests.api.disputing import Court, court
from tests.api.house import Table, problem


def reported(table: Table) -> tuple[int, Any]:
    """An entry in which seat 1 reports a die, and another value of it."""
    for _ in range(200):
        if "chance" in table.awaited:
            found: Any = table.seats[1].get(f"{table.path}/seats/chance/moves").json
            first, *others = [each["move"] for each in found["legal"]]
            done = table.move("chance", first, by=table.seats[1])
            assert done.status_code == 201, done.text
            if others:
                return done.json["entry"]["version"], others[0]
        else:
            seat = int(table.awaited[0])
            table.move(seat, table.moves(seat)["legal"][0]["move"])
    raise AssertionError("no die was reported")


def claims(here: Court, about: int, move: Any, by: Any) -> Any:
    return by.post(here.disputes, {"about": about, "claim": "misreported", "move": move, "statement": "Cocked."})


@pytest.mark.clause("TABLE-DISPUTE-11")
@pytest.mark.parametrize("game", ["here_to_slay", "creature_crush"])
def test_a_host_who_plays_cannot_witness_the_own_claim(game: str) -> None:
    here = court(game, "table", 2, host_plays=True)
    about, other = reported(here.table)
    version = here.table.version
    problem(claims(here, about, other, here.table.host), 403, "no-claimant")
    arbiter = here.table.arbiter(refusing=(1,))
    assert here.table.version > version
    problem(claims(here, about, other, arbiter), 403, "no-claimant")
    assert here.table.host.get(here.table.path).json["status"] == "running"  # type: ignore[index]
    opened = claims(here, about, other, here.table.seats[0])
    assert opened.json["dispute"]["asks"] == [0, 1]


@pytest.mark.clause("TABLE-DISPUTE-11")
def test_a_host_disputes_for_a_player_without_a_device_and_all_others_are_asked(app: Flask) -> None:
    chairs = [{"kind": "human"}, {"kind": "human"}, {"kind": "table"}]
    table = house.opened(app, "here_to_slay", chairs=chairs, chance={"dice": "table", "deck": "server"})
    for _ in range(200):
        if "chance" in table.awaited:
            break
        seat = int(table.awaited[0])
        by = table.host if seat == 2 else table.seats[seat]
        found: Any = by.get(f"{table.path}/seats/{seat}/moves").json
        assert table.move(seat, found["legal"][0]["move"], by=by).status_code == 201
    about, other = reported(table)
    opened = table.host.post(f"{table.path}/disputes", {"about": about, "claim": "misreported", "move": other})
    assert opened.status_code == 201, opened.text
    dispute = opened.json["dispute"]
    assert (dispute["parties"], dispute["asks"]) == ([1], [0, 1])
    assert "Silence confirms nothing here" in dispute["now"]["en"]
    number = dispute["dispute"]
    for seat, holds in ((0, True), (1, False)):
        table.seats[seat].post(f"{table.path}/disputes/{number}/attestations", {"holds": holds})
    after: Any = table.host.get(f"{table.path}/disputes/{number}").json
    assert (after["stage"], after["rulings"][-1]["verdict"]) == ("ruled", "stands")

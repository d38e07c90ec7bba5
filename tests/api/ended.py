"""Matches that were played to their end, and projections that have read them."""

from __future__ import annotations

import random
from typing import Any

from flask import Flask

from referee.eventstore.contract import PARTITIONS
from referee.service.requests import MoveRequest
from tests.api import house
from tests.api.house import Person, Table
from workers.projections.public_match import PublicMatches
from workers.projections.runner import catch_up

GIVING_UP = ("sm.concede", "sm.claim", "hts.leave", "cc.concede", "cc.offer_draw")


def led(app: Flask) -> None:
    """Leads every projection to the end of the logs, as the workers do."""
    log = app.config["SERVICE"].log
    for partition in range(PARTITIONS):
        if log.read_partition_info(partition).position:
            assert catch_up(log, partition, PublicMatches(log)).raise_failures().reached_end


def account(app: Flask, name: str | None = None, **more: Any) -> tuple[str, Person]:
    """A new account: its id, and the person who holds its token."""
    anyone = Person(app.test_client())
    made = anyone.post("/v1/players", {**({} if name is None else {"name": name}), **more})
    assert made.status_code == 201, made.text
    return made.json["id"], Person(anyone.client, made.json["token"])  # type: ignore[index]


def table_of(
    app: Flask, *people: Person | None, game: str = "monster_combat", bots: int = 0, begin: bool = True, **body: Any
) -> Table:
    """A match with these people on its first seats (None: a guest), bots on the others, started."""
    chairs = [{"kind": "human"}] * len(people) + [{"kind": "bot", "level": 0}] * bots
    body = {"visibility": "public", "variant": "V1", **body} if game == "monster_combat" else {**body}
    made = house.opened(app, game, chairs=chairs, join=False, start=False, **{"visibility": "public", **body})
    seats = []
    for code, person in zip(made.codes, people, strict=True):
        joined = (person or made.anyone).post("/v1/join", {"code": code})
        assert joined.status_code == 201, joined.text
        seats.append(Person(made.anyone.client, joined.json["token"]))  # type: ignore[index]
    table = Table(made.match, made.anyone, made.host, tuple(seats), made.codes)
    if begin:
        assert table.host.post(f"{table.path}/start", If_Match=f'"v{table.version}"').status_code == 201
    return table


def ended(app: Flask, table: Table, seed: int = 0) -> dict[str, Any]:
    """Plays a match at random until its rules end it; the outcome. Bots are played by the desk, as workers would."""
    from referee.engine.referee import sample_legal_move, seats_that_must_act
    from referee.match.aggregate import FINAL_STATUSES

    service, dice = app.config["SERVICE"], random.Random(seed)
    for made in range(5000):
        now = service.load_match(table.match)
        if now.match.status in FINAL_STATUSES:
            return dict(table.anyone.get(table.path, Authorization=f"Bearer {table.host.token}").json["outcome"])  # type: ignore[index]
        seat = dice.choice(sorted(seat for seat in seats_that_must_act(now.match.state) if seat >= 0))
        move = sample_legal_move(now.match.state.view_for(seat), seat, dice.randrange)
        service.make_move(MoveRequest(table.match, seat, move, key=f"e{seed}-{made}", scope=f"seat{seat}"))
    raise AssertionError("no end")

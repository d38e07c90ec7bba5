"""A tournament of sixty-four through the API: six rounds, officials at work, a player who leaves, and its file."""

from __future__ import annotations

import csv
import io

import pytest
from flask import Flask

from referee.audit.bundles.format import decode_bundle
from tests.api.evenings import opened, taken, wait

pytestmark = pytest.mark.deep
PLAYERS, ROUNDS = 64, 6


def test_a_tournament_of_sixty_four(app: Flask) -> None:
    evening = opened(app, host_plays=False, system="swiss", rounds=ROUNDS, round_ms=1_800_000)
    evening.appoint("floor", "committee")
    evening.enter(PLAYERS)
    floor, committee = evening.officers["floor"], evening.officers["committee"]
    evening.start()
    first = evening.state.rounds[0].tables[0].players[0]

    # a call, a penalty that goes up, and an appeal that overturns it
    called = evening.give(evening.players[first], "call", reason="rules")
    (item,) = taken(floor.get(f"{evening.path}/queue"), 200)["items"]
    evening.give(floor, "claim", item=item["item"])
    wait(evening, 60_000)
    evening.give(floor, "end_call", call=called["entry"])
    assert evening.read_view()["rounds"][0]["tables"][0]["extra_ms"] == 60_000
    evening.give(floor, "penalize", player=first, infraction="late", grade="warning")
    given = evening.give(floor, "penalize", player=first, infraction="late", grade="game_loss")
    appeal = evening.give(evening.players[first], "appeal", about=given["entry"], reason="I sat there")
    evening.give(committee, "vote", appeal=appeal["entry"], overturn=True)
    evening.play_round()

    leaver = evening.state.rounds[0].tables[5].players[1]
    for number in range(2, ROUNDS + 1):
        evening.give(evening.host, "pair")
        if number == 3:
            evening.give(evening.players[leaver], "leave")
        evening.play_round()
    evening.give(evening.host, "end")

    seen = evening.read_view()
    met = [frozenset(table["players"]) for one in seen["rounds"] for table in one["tables"]]
    assert len(met) == len(set(met)), "nobody meets anybody twice"
    assert [len(one["tables"]) for one in seen["rounds"]] == [32, 32, 32, 31, 31, 31]
    assert seen["standings"][0]["rank"] == 1
    assert len(seen["standings"]) == PLAYERS
    rows = list(csv.DictReader(io.StringIO(evening.anyone.get(f"{evening.path}/exports/results.csv").text)))
    assert len(rows) == 2 * len(met) + sum(len(one["byes"]) for one in seen["rounds"])
    bundle = decode_bundle(evening.anyone.get(f"{evening.path}/exports/public.bundle").data.splitlines())
    assert len(bundle.entries) == seen["version"]

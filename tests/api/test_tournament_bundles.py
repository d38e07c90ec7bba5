"""What is played through the API, by anybody, passes the audit of its bundle."""

from __future__ import annotations

import pytest
from flask import Flask

from referee.audit.bundles.export import PUBLIC, SEALED, BundleMetadata
from referee.audit.bundles.format import decode_bundle, encode_bundle
from referee.audit.checks.verifier import check_bundle
from referee.audit.tournaments.export import build_tournament_bundle_lines
from tests.api import house
from tests.api.evenings import opened


@pytest.fixture
def app() -> Flask:
    return house.app()


@pytest.mark.parametrize("viewer", [PUBLIC, SEALED])
def test_an_evening_with_officials_players_and_bots_is_judged_sound(app: Flask, viewer: str) -> None:
    it = opened(app, host_plays=False, round_ms=600_000)
    it.appoint("floor", "committee")
    it.enter(5)
    it.give(it.host, "enter", level=1)
    it.give(it.players[4], "leave")
    it.give(it.host, "leave", player=5)
    it.start()
    table, other = it.state.rounds[0].tables
    first, second = (it.players[each] for each in table.players)
    it.give(it.host, "penalize", player=table.players[0], infraction="late", grade="warning", because="so late")
    warned = it.state.penalties[-1].number
    appeal = it.give(first, "appeal", about=warned, reason="The bus.")["entry"]
    it.give(it.officers["committee"], "vote", appeal=appeal, overturn=True)
    call = it.give(second, "call", reason="rules")["entry"]
    it.give(it.officers["floor"], "end_call", call=call)
    it.give(
        it.officers["floor"], "penalize", player=other.players[0], infraction="late", grade="game_loss", because="-"
    )
    it.play_round()
    it.give(it.host, "pair")
    it.give(it.players[it.state.rounds[-1].tables[0].players[0]], "concede")
    lines = build_tournament_bundle_lines(it.service, it.id, viewer, BundleMetadata())
    report = check_bundle(decode_bundle(encode_bundle(lines)))
    states = {each.name: each.state for each in report.checks}
    assert states["rules"] == "done", report.findings  # this server signs and draws as tests do, so no more is asked
    assert states["roots"] == "done"

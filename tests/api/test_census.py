"""GET census: the cards of a running match are counted for whoever asks, from what these eyes may see."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.api.house import opened
from tests.games.matches import setups

GAMES = sorted({name for name, _ in setups()})


@pytest.mark.parametrize("game", GAMES)
def test_what_was_dealt_can_be_for_onlookers_and_for_a_seat(app: Flask, game: str) -> None:
    table = opened(app, game, seats=3 if game == "munchkin" else 2, visibility="public")
    for person, query, tag in ((table.anyone, "", ""), (table.seats[0], "?viewer=seat:0", "-seat0")):
        answer = person.get(f"{table.path}/census{query}")
        assert answer.status_code == 200, answer.json
        told = answer.json
        assert told["possible"] is True
        assert told["first"] is None
        assert told["contradictions"] == told["recounts"] == []
        assert told["version"] == table.version
        assert answer.headers["ETag"] == f'"v{table.version}{tag}"'
        assert told["clauses"][0]["id"] == "TABLE-CENSUS-1"


def test_what_somebody_says_lies_there_is_weighed_against_the_log(app: Flask) -> None:
    table = opened(app, visibility="public")
    held = len(table.anyone.get(f"{table.path}/view").json["table"]["zones"]["hand:0"])
    right = table.anyone.get(f"{table.path}/census?place=hand:0&count={held}").json
    assert right["possible"] is True
    wrong = table.anyone.get(f"{table.path}/census?place=hand:0&count={held + 1}").json
    assert wrong["possible"] is False
    assert wrong["contradictions"][0]["kind"] == "claimed_count"
    assert str(held + 1) in wrong["contradictions"][0]["says"]["de"]
    assert wrong["recounts"][0]["expected"] == held
    none = table.anyone.get(f"{table.path}/census?place=hand:0&card=unicorn").json
    assert none["contradictions"][0]["kind"] == "no_such_card"


@pytest.mark.parametrize("query", ["place=hand:0", "card=sword", "count=3", "place=hand:0&card=sword&count=3"])
def test_half_a_claim_or_two_at_once_are_refused(app: Flask, query: str) -> None:
    table = opened(app, visibility="public")
    answer = table.anyone.get(f"{table.path}/census?{query}")
    assert answer.status_code == 422
    assert answer.json["errors"]


def test_nobody_counts_with_the_eyes_of_another_seat_nor_all_before_the_end(app: Flask) -> None:
    table = opened(app, visibility="public")
    assert table.seats[1].get(f"{table.path}/census?viewer=seat:0").status_code == 403
    assert table.seats[0].get(f"{table.path}/census?viewer=full").json["type"].endswith("still-running")

"""The tour of disputes: a lesson of it over real HTTP, and what is told of it."""

from __future__ import annotations

import re

import pytest

from referee.match.events.dispute_state import CLAIMS
from tests.clients.house import served
from tests.tours import disputes, lessons
from tests.tours.curl import Teller, part, short
from tests.tours.disputes import main, quarrel, toured
from tests.tours.lessons import AT_A_TABLE, ON_SCREENS, PLAYING_ON


def test_a_lesson_is_told_as_curl_lines_without_a_token_or_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disputes, "ANSWER_MS", 60_000)  # nobody is late, on a slow machine either
    lines: list[str] = []
    with served() as (url, _):
        teller = Teller(url, lines.append)
        assert toured(teller, "shy_monsters", only=lambda _, lesson: lesson is lessons.misreported) == []
        quarrel(teller, "shy_monsters")
    said = "\n".join(lines)
    assert said.count("\n$ curl -s ") > 5
    for told in ("$api/matches/$match/disputes", "misreported", "/attestations", "/timeline", '"state": "superseded"'):
        assert told in said
    assert 'Bearer $seat1"' in said
    assert not re.search(r"rfs_|\b[0-9a-f]{32}\"", re.sub(r'"(request_id|view_hash)": "[^"]*"', "", said))
    assert not any(name in said for name in teller.names)


def test_the_tour_has_a_lesson_of_each_claim_in_each_game() -> None:
    taught = {lesson.__name__ for lesson in (*ON_SCREENS, *AT_A_TABLE, *PLAYING_ON)}
    named = {"missed_effect": "wrong_consequence", "other": "only_people_know"}
    assert {named.get(claim, claim) for claim in CLAIMS} <= taught


def test_what_is_told_is_short_and_in_one_language() -> None:
    body = {"why": {"en": "So.", "de": "Darum."}, "items": [{"n": {"a": {"b": [{"c": 1}]}}}] * 6, "text": "x" * 500}
    told = short(body, "de")
    assert told["why"] == "Darum."
    assert told["items"][-1] == "… 2 more"
    assert len(told["text"]) < 200
    assert part(body, "items.-1.n.a.b.0.c") == 1
    assert part(body, "items.9.n") is None


def test_the_tour_of_a_program_that_is_not_there_says_so() -> None:
    lines: list[str] = []
    assert main(["http://127.0.0.1:1", "--game", "munchkin"], lines.append) == 2
    assert "http://127.0.0.1:1" in lines[-1]

"""Two evenings that differ only in what concerns one player look alike to all others; and the stream of one."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import pytest
from flask import Flask

from referee.eventstore.memory.log import MemoryLog
from tests.api import house
from tests.api.evenings import Evening, opened, quarrel, taken, wait
from tests.api.house import Person
from tests.api.streaming import Heard, quick
from tests.service import house as desks

STILL_MS = 1_800_000_000_000


@dataclass
class Secret:
    """What happens to one player of the evening."""

    player: int
    infraction: str
    grade: str
    reason: str
    cards: dict[str, int]


def played(monkeypatch: pytest.MonkeyPatch, secret: Secret) -> Evening:
    """An evening in which that happened; the clock stands still."""
    house.COUNTERS[0] = itertools.count(7_000)
    monkeypatch.setattr(MemoryLog, "now", lambda _log: STILL_MS)
    evening = opened(quick(house.app(desks.service())), host_plays=False, decks="deposited")
    evening.appoint("floor", "committee")
    evening.enter(4)
    for player, person in enumerate(evening.players):
        taken(person.put(f"{evening.path}/players/{player}/deck", {"cards": {"sword": 2}}), 200)
    evening.start()
    early = evening.officers["committee"]
    evening.appoint("committee")  # only the first player accepts them
    late = max(each.number for each in evening.state.officers)
    evening.give(evening.players[0], "accept_officer", officer=late)
    evening.officers["committee"] = early
    given = evening.give(
        evening.officers["floor"], "penalize", player=secret.player, infraction=secret.infraction, grade=secret.grade,
        because=secret.reason, fix=secret.reason,
    )  # fmt: skip
    evening.give(evening.host, "check_deck", player=secret.player, cards=secret.cards)
    appealed = evening.give(evening.players[secret.player], "appeal", about=given["entry"], reason=secret.reason)
    evening.give(evening.officers["committee"], "vote", appeal=appealed["entry"], overturn=False)
    evening.give(evening.host, "vote", appeal=appealed["entry"], overturn=False, status=409)
    return evening


def list_answers(evening: Evening, person: Person) -> list[Any]:
    """All that somebody is told, with the headers."""
    found = []
    for path in ("", "/entries?limit=200", "/queue", "/exports/standings.csv", "/exports/results.csv",
                 "/players/0/penalty-proposals"):  # fmt: skip
        answer = person.get(evening.path + path)
        kept = {name: value for name, value in answer.headers if name not in ("X-Request-Id",)}
        body = {**answer.json, "request_id": ""} if answer.is_json and "request_id" in answer.json else answer.text  # type: ignore[dict-item]
        found.append((path, answer.status_code, body, kept))
    answer = person.get(f"{evening.path}/stream?after=0")
    found.append([(each.kind, each.id, each.data) for each in Heard(answer, "TournamentEvents").now()])
    answer.close()
    return found


ONE = Secret(0, "late", "caution", "It was I, Ann.", {"sword": 2})
OTHER = Secret(1, "conduct", "warning", "No, it was Bob who shouted at everybody.", {"shield": 5})


def test_others_do_not_learn_who_was_warned_for_what(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = played(monkeypatch, ONE), played(monkeypatch, OTHER)
    assert first.id == second.id
    for uninvolved in (2, 3):
        assert list_answers(first, first.players[uninvolved]) == list_answers(second, second.players[uninvolved])
    assert list_answers(first, first.anyone) == list_answers(second, second.anyone)
    assert list_answers(first, first.players[0]) != list_answers(second, second.players[0]), "who is concerned sees it"
    assert list_answers(first, first.host) != list_answers(second, second.host), "so do the officials"


def test_the_public_part_of_the_log_is_alike_but_for_its_commitments(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = played(monkeypatch, ONE), played(monkeypatch, OTHER)
    for one, other in zip(*(each.service.log.read_entries(each.id, 0, 200) for each in (first, second)), strict=True):
        assert len(one.envelope) == len(other.envelope)


# -- the stream --------------------------------------------------------------------------------------------------------


@pytest.fixture
def app() -> Flask:
    return quick(house.app())


def test_a_stream_tells_what_the_entries_tell_and_resumes(app: Flask) -> None:
    evening = opened(app, host_plays=False)
    evening.enter(2)
    heard = Heard(evening.players[0].get(f"{evening.path}/stream"), "TournamentEvents")
    (snapshot,) = heard.now()
    assert (snapshot.kind, snapshot.data) == ("snapshot", evening.read_view(evening.players[0]))
    evening.start()
    fresh = heard.now()
    assert [(each.kind, each.id) for each in fresh] == [("entry", 4), ("entry", 5)]
    listed = taken(evening.players[0].get(f"{evening.path}/entries?after={fresh[0].id - 1}"), 200)["items"]  # type: ignore[operator]
    assert [each.data for each in fresh] == listed
    heard.response.close()
    again = Heard(evening.players[0].get(f"{evening.path}/stream", Last_Event_ID="2"), "TournamentEvents")
    assert [each.id for each in again.now()] == list(range(3, evening.read_view()["version"] + 1))
    again.response.close()


def test_officials_hear_what_waits_also_from_the_matches(app: Flask) -> None:
    evening = opened(app, host_plays=False, plays="refereed")
    evening.enter(2)
    evening.start()
    heard = Heard(evening.host.get(f"{evening.path}/stream"), "TournamentEvents")
    assert [each.kind for each in heard.now()] == ["snapshot", "queue"]
    table = evening.state.rounds[0].tables[0]
    evening.give(evening.players[table.players[0]], "call", reason="rules")
    found = heard.now()
    assert [each.kind for each in found] == ["entry", "queue"]
    assert [each["kind"] for each in found[-1].data["items"]] == ["call"]
    quarrel(evening)
    wait(evening, 130_000)
    taken(evening.host.get(f"/v1/matches/{table.match}"), 200)
    (queue,) = [each for each in heard.now() if each.kind == "queue"][-1:]
    assert "dispute" in {each["kind"] for each in queue.data["items"]}
    heard.response.close()


def test_a_stream_ends_with_the_tournament(app: Flask) -> None:
    evening = opened(app)
    heard = Heard(evening.anyone.get(f"{evening.path}/stream"), "TournamentEvents")
    heard.now()
    evening.give(evening.host, "end")
    assert [each.kind for batch in heard.batches() for each in batch] == ["entry", "end"]
    assert evening.anyone.get(f"{evening.path}/stream", Last_Event_ID="2").status_code == 204


def test_a_ticket_opens_the_stream_once_as_its_caller(app: Flask) -> None:
    evening = opened(app, host_plays=False)
    made = taken(evening.host.post(f"{evening.path}/stream-tickets"))
    heard = Heard(evening.anyone.get(made["stream"]), "TournamentEvents")
    assert [each.kind for each in heard.now()] == ["snapshot", "queue"], "it is the official's"
    heard.response.close()
    house.problem(evening.anyone.get(made["stream"]), 401, "ticket-void")

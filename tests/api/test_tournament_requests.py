"""Requests to tournaments: withdrawn invitations, repeats after a change of office, what is refused and listed."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from tests.api import house
from tests.api.evenings import Evening, opened, taken
from tests.api.house import Person, problem


@pytest.fixture
def app() -> Flask:
    return house.app()


def command(by: Person, evening: Evening, kind: str, key: str, **members: Any) -> Any:
    body = {"command": {"type": f"tournament.{kind}", **members}}
    return by.post(f"{evening.path}/commands", body, Idempotency_Key=key)


# -- invitations -------------------------------------------------------------------------------------------------------


def test_the_host_withdraws_an_invitation_and_an_entry_says_so(app: Flask) -> None:
    evening = opened(app, host_plays=False)
    made = taken(evening.host.post(f"{evening.path}/invitations", {"role": "floor"}))
    evening.enter(1)
    path = f"{evening.path}/invitations/{made['id']}"
    problem(evening.players[0].delete(path), 403, "forbidden")
    assert evening.host.delete(path).status_code == 204
    problem(evening.anyone.post("/v1/join", {"code": made["code"]}), 404, "unknown-code")
    last = taken(evening.anyone.get(f"{evening.path}/entries"), 200)["items"][-1]
    (event,) = last["events"]
    assert (last["actor"], event["type"]) == ("host", "tournament.InvitationWithdrawn")
    assert event["invitation"] == made["id"]
    told = problem(evening.host.delete(path), 404, "unknown-invitation")
    assert "match" not in told["detail"], "it is one to a tournament"
    problem(evening.host.delete(f"{evening.path}/invitations/0123456789abcdef"), 404, "unknown-invitation")


def test_a_withdrawal_that_broke_off_is_completed(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    evening = opened(app)
    made = taken(evening.host.post(f"{evening.path}/invitations", {"role": "player", "uses": 3}))
    path = f"{evening.path}/invitations/{made['id']}"

    def die(*_args: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as killed:
        killed.setattr(type(evening.service.log), "revoke_invitation", die)
        with pytest.raises(KeyboardInterrupt):
            evening.host.delete(path)
    version = evening.read_view()["version"]
    assert evening.host.delete(path).status_code == 204
    assert evening.read_view()["version"] == version, "the entry was there"
    problem(evening.anyone.post("/v1/join", {"code": made["code"]}), 404, "unknown-code")


# -- repeats -----------------------------------------------------------------------------------------------------------


def test_a_repeat_after_an_office_has_gone_answers_what_the_first_answered(app: Flask) -> None:
    evening = opened(app, host_plays=False)
    evening.appoint("floor")
    evening.enter(2)
    evening.start()
    floor, members = evening.officers["floor"], {"player": 0, "infraction": "conduct", "grade": "caution"}
    members["because"] = "mild"
    first = taken(command(floor, evening, "penalize", "k1", **members))
    evening.give(floor, "resign")
    again = command(floor, evening, "penalize", "k1", **members)
    assert (taken(again), again.headers["Idempotency-Replayed"]) == (first, "true")
    problem(command(floor, evening, "penalize", "k2", **members), 403, "forbidden")
    problem(command(floor, evening, "penalize", "k1", **{**members, "because": "no"}), 403, "forbidden")


def test_a_repeat_in_a_later_office_does_nothing_twice(app: Flask) -> None:
    evening = opened(app, host_plays=False)
    evening.appoint("floor")
    evening.enter(2)
    floor = evening.officers["floor"]
    members = {"player": 0, "infraction": "conduct", "grade": "caution", "because": "mild"}
    taken(command(floor, evening, "penalize", "k1", **members))
    evening.give(floor, "resign")
    code = taken(evening.host.post(f"{evening.path}/invitations", {"role": "floor"}))["code"]
    taken(floor.post("/v1/join", {"code": code}))
    for player in (0, 1):
        evening.give(evening.players[player], "accept_officer", officer=evening.state.officers[-1].number)
    taken(command(floor, evening, "penalize", "k1", **members))
    assert len(evening.state.penalties) == 1


def test_what_was_refused_is_not_carried_out_by_a_repeat_without_the_office(app: Flask) -> None:
    evening = opened(app)
    evening.appoint("head")
    head = evening.officers["head"]
    problem(command(head, evening, "start", "k1"), 409, "command-refused")
    evening.enter(2)
    evening.give(evening.host, "resign", officer=evening.officer("head"))
    problem(command(head, evening, "start", "k1"), 403, "forbidden")


# -- tables of bots, and what is listed --------------------------------------------------------------------------------


def test_the_host_records_a_table_of_two_bots(app: Flask) -> None:
    evening = opened(app)
    for _ in range(2):
        evening.give(evening.host, "enter", level=0)
    evening.start()
    assert "tournament.record_result" in evening.read_view(evening.host)["can"]
    evening.give(evening.host, "record_result", round=1, table=1, placement=[[1], [0]])
    table = evening.read_view()["rounds"][0]["tables"][0]
    assert (table["final"], table["result"]["by"]) == (True, "host")
    evening.give(evening.host, "end")


def test_an_official_who_is_not_the_host_records_it_under_the_own_office(app: Flask) -> None:
    evening = opened(app, host_plays=False)
    evening.appoint("floor", "committee")
    for _ in range(2):
        evening.give(evening.host, "enter", level=0)
    evening.start()
    place = {"round": 1, "table": 1, "placement": [[1], [0]]}
    evening.give(evening.officers["committee"], "record_result", 409, **place)
    evening.give(evening.officers["floor"], "record_result", **place)
    table = evening.read_view()["rounds"][0]["tables"][0]
    assert table["result"]["by"] == f"official:{evening.officer('floor')}"


def test_what_the_host_may_do_is_listed_as_it_is_taken(app: Flask) -> None:
    manual = opened(app, system="manual")
    manual.enter(2)
    manual.give(manual.host, "start")
    assert manual.read_view(manual.host)["can"] == ["tournament.pair"]
    manual.give(manual.host, "pair", tables=[[0, 1]])
    manual.play_round()
    assert manual.read_view(manual.host)["can"] == ["tournament.pair", "tournament.end"]
    drawn = opened(app, system="knockout")
    drawn.enter(2)
    drawn.start()
    player = drawn.state.rounds[0].tables[0].players[0]
    drawn.give(drawn.players[player], "report", round=1, table=1, placement=[[0, 1]])
    drawn.give(drawn.players[1 - player], "answer_result", round=1, table=1, agree=True)
    assert drawn.read_view(drawn.host)["can"] == ["tournament.end"], "a final may be drawn"


def test_only_what_waits_is_claimed(app: Flask) -> None:
    evening = opened(app, plays="refereed", host_plays=False)
    evening.enter(2)
    evening.start()
    assert "tournament.claim" not in evening.read_view(evening.host)["can"]
    refused = evening.give(evening.host, "claim", 409, item="whatever")
    assert refused["ruling"]["clauses"][0]["id"] == "TOURNAMENT-QUEUE-1"
    call = evening.give(evening.players[0], "call", reason="rules")["entry"]
    (item,) = taken(evening.host.get(f"{evening.path}/queue"), 200)["items"]
    assert (item["item"], item["match"]) == (f"call:{call}", evening.state.rounds[0].tables[0].match)
    assert "tournament.claim" in evening.read_view(evening.host)["can"]
    first = taken(command(evening.host, evening, "claim", "k1", item=f"call:{call}"))
    evening.give(evening.host, "end_call", call=call)
    assert taken(command(evening.host, evening, "claim", "k1", item=f"call:{call}")) == first


# -- what is refused ---------------------------------------------------------------------------------------------------


def test_a_name_of_nobody_cannot_be_erased(app: Flask) -> None:
    evening = opened(app)
    evening.enter(1)
    problem(evening.host.delete(f"{evening.path}/players/7/name"), 404, "not-found")
    problem(evening.players[0].delete(f"{evening.path}/players/7/name"), 403, "forbidden")
    assert evening.host.delete(f"{evening.path}/players/0/name").status_code == 204


def test_a_tournament_that_is_over_invites_nobody(app: Flask) -> None:
    evening = opened(app)
    evening.give(evening.host, "end")
    asked = evening.host.post(f"{evening.path}/invitations", {"role": "player"})
    assert problem(asked, 409, "command-refused")["ruling"]["clauses"][0]["id"] == "TOURNAMENT-END-1"


def test_blank_names_and_empty_decks_are_refused(app: Flask) -> None:
    evening = opened(app, decks="deposited", host_plays=False)
    body = {"code": evening.code, "name": " \u00a0 "}
    (wrong,) = problem(evening.anyone.post("/v1/join", body), 422, "invalid-input")["errors"]
    assert wrong["pointer"] == "/name"
    evening.enter(1)
    empty = evening.players[0].put(f"{evening.path}/players/0/deck", {"cards": {}})
    (wrong,) = problem(empty, 422, "invalid-input")["errors"]
    assert wrong["pointer"] == "/cards"


def test_each_player_says_whether_the_caller_may_take_them_out(app: Flask) -> None:
    evening = opened(app, host_plays=False)
    evening.enter(2)
    evening.give(evening.host, "enter", level=0)
    evening.give(evening.host, "enter", level=0)
    for who, removable, own in (
        (evening.host, {0, 1, 2, 3}, False),
        (evening.players[1], {1}, True),
        (None, set(), False),
    ):
        view = evening.read_view(who)
        assert {each["player"] for each in view["players"] if each["can_remove"]} == removable
        assert ("tournament.leave" in view["can"]) is own
    evening.give(evening.host, "start")
    evening.give(evening.host, "leave", player=3)
    view = evening.read_view(evening.host)
    assert [each["can_remove"] for each in view["players"]] == [False, False, True, False]
    assert "tournament.leave" not in view["can"]
    refused = {"command": {"type": "tournament.leave", "player": 0}}
    problem(evening.host.post(f"{evening.path}/commands", refused), 403, "forbidden")

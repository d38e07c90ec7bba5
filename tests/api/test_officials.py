"""Officials: who may have the last word, whom the table accepts, and that nobody judges a match that they play."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from referee.arbitration.replay.replay import find_first_divergence
from referee.match.table import officials as table_officials
from tests.api import house
from tests.api.disputing import Court, court
from tests.api.ended import account
from tests.api.house import Person, Table, problem
from tests.api.test_disputes import others, played


def officials(table: Table) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = table.host.get(table.path).json["officials"]  # type: ignore[index]
    return found


def answered(table: Table, seat: int, grant: bool, official: int = 1) -> Any:
    return table.seats[seat].post(f"{table.path}/officials/{official}/consents", {"grant": grant})


def code_for(table: Table, role: str) -> str:
    made: Any = table.host.post(f"{table.path}/invitations", {"role": role}).json
    return str(made["code"])


@pytest.mark.clause("TABLE-OFFICE-1", "TABLE-OFFICE-2")
def test_a_host_who_does_not_play_is_named_at_the_opening_and_accepted_by_sitting_down(app: Flask) -> None:
    table = house.opened(app, host_plays=False, visibility="public", join=False, start=False)
    (named,) = officials(table)
    assert (named["official"], named["role"], named["decides"]) == (1, "host", True)
    entry: Any = table.anyone.get(f"{table.path}/entries/1").json
    assert [each["type"] for each in entry["events"]] == ["table.MatchOpened", "table.OfficialNamed"]
    joined: Any = table.anyone.post("/v1/join", {"code": table.codes[0]}).json
    assert joined["officials"] == [{**named, "accepted": [0]}]
    assert [each["type"] for each in table.anyone.get(f"{table.path}/entries/2").json["events"]] == [  # type: ignore[index]
        "table.SeatTaken", "table.OfficialAccepted",
    ]  # fmt: skip


def test_a_host_plays_unless_they_say_otherwise_or_nobody_has_a_device(app: Flask) -> None:
    assert officials(house.opened(app)) == []
    one_phone = house.opened(app, chairs=[{"kind": "table"}] * 2, chance={"deck": "table"})
    assert [each["decides"] for each in officials(one_phone)] == [True]
    assert officials(house.opened(app, chairs=[{"kind": "table"}] * 2, chance={"deck": "table"}, host_plays=True)) == []


@pytest.mark.clause("TABLE-OFFICE-2")
def test_a_yes_can_be_taken_back_until_the_start_and_a_no_always(app: Flask) -> None:
    table = house.opened(app, host_plays=False, start=False)
    assert answered(table, 1, False).json["officials"][0]["refused"] == [1]
    assert answered(table, 1, True).json["officials"][0]["decides"] is True
    assert answered(table, 1, False).json["officials"][0]["asks"] == [1]
    table.host.post(f"{table.path}/start", If_Match="*")
    problem(answered(table, 0, False), 409, "official-accepted")
    said = answered(table, 1, True)
    assert (said.json["officials"][0]["accepted"], said.json["officials"][0]["decides"]) == ([0, 1], True)
    problem(answered(table, 1, False), 409, "official-accepted")
    problem(answered(table, 1, True, official=7), 404, "no-such-official")


@pytest.mark.clause("TABLE-OFFICE-4")
def test_an_arbiter_rules_only_once_every_seat_has_accepted_them_and_the_log_says_so() -> None:
    here, about, mover = played(host_plays=True)
    claimant, third = others(here, mover)
    arbiter = here.table.arbiter(refusing=(third,))
    (asked,) = officials(here.table)
    assert (asked["role"], asked["refused"], asked["decides"]) == ("arbiter", [third], False)
    number = here.open(claimant, about, "other")["dispute"]
    assert {each["step"] for each in here.read(number)["steps"]} == {"attestations", "withdrawal"}
    problem(here.ruled(number, by=arbiter), 403, "not-accepted")
    problem(here.ruled(number), 403, "not-accepted")  # the host who plays
    assert answered(here.table, third, True, asked["official"]).status_code == 200
    assert [each["by"] for each in here.read(number)["steps"] if each["step"] == "rulings"] == [["arbiter"]]
    assert here.ruled(number, by=arbiter, remedy="leave", upheld=False).status_code == 201


@pytest.mark.clause("TABLE-OFFICE-2")
def test_two_arbiters_are_accepted_one_by_one() -> None:
    here, about, mover = played(host_plays=True)
    accepted, refused = here.table.arbiter(), here.table.arbiter(silent=(0,))
    number = here.open(others(here, mover)[0], about, "other")["dispute"]
    problem(here.ruled(number, by=refused), 403, "not-accepted")
    assert here.ruled(number, by=accepted, remedy="leave", upheld=False).status_code == 201


@pytest.mark.clause("TABLE-OFFICE-4", "TABLE-RULING-3")
def test_without_an_accepted_official_what_is_undecided_stands_at_once() -> None:
    here, about, mover = played(host_plays=True, courts={"levels": ["referee", "arbiter"]})
    here.table.arbiter(silent=(mover,))
    found = here.open(others(here, mover)[0], about, "other")
    assert (found["stage"], found["rulings"][-1]["verdict"]) == ("ruled", "stands")
    assert here.table.host.get(here.table.path).json["status"] == "running"  # type: ignore[index]
    seat = here.table.seats[0].post(
        f"{here.disputes}/{found['dispute']}/appeals", {"grounds": "No.", "clause": "TABLE-RULING-3"}
    )
    problem(seat, 409, "last-court")


def test_a_tie_at_a_table_without_officials_halts_nothing() -> None:
    here, about, mover = played(seats=2, host_plays=True)
    number = here.open(1 - mover, about, "other")["dispute"]
    said = here.read(number)["now"]
    assert "Silence confirms nothing here" in said["en"]
    assert "Wer schweigt, bestätigt hier nichts" in said["de"]
    for seat in (0, 1):
        assert here.says(seat, number, "attestations", holds=bool(seat)).status_code == 201
    assert (here.read(number)["stage"], here.read(number)["rulings"][-1]["verdict"]) == ("ruled", "stands")


@pytest.mark.clause("TABLE-OFFICE-3")
def test_an_official_who_takes_a_seat_loses_the_office_by_the_same_entry(app: Flask) -> None:
    _, person = account(app)
    table = house.opened(app, host_plays=False, visibility="public", join=False, start=False)
    for code, who in ((table.codes[0], table.host), (table.codes[1], person)):
        assert who.post("/v1/join", {"code": code}).status_code == 201
    (named,) = officials(table)
    assert (named["left"], named["decides"]) == (True, False)
    entry: Any = table.anyone.get(f"{table.path}/entries/2").json
    assert [each["type"] for each in entry["events"]] == ["table.SeatTaken", "table.OfficeLost"]
    problem(person.post("/v1/join", {"code": code_for(table, "arbiter")}), 409, "official-plays")  # the same account
    problem(table.host.post("/v1/join", {"code": code_for(table, "arbiter")}), 409, "official-plays")


def test_a_refused_join_leaves_the_code_to_others(app: Flask) -> None:
    table = house.opened(app)
    code = code_for(table, "arbiter")
    problem(table.seats[0].post("/v1/join", {"code": code}), 409, "official-plays")
    assert table.anyone.post("/v1/join", {"code": code}).status_code == 201
    problem(table.anyone.post("/v1/join", {"code": code}), 410, "code-expired")
    assert table.seats[0].delete(f"{table.path}/seats/0/player").status_code == 204
    first, second = code_for(table, "seat:0"), code_for(table, "seat:0")
    sat: Any = table.anyone.post("/v1/join", {"code": first}).json
    problem(table.anyone.post("/v1/join", {"code": second}), 409, "seat-taken")
    assert Person(table.anyone.client, sat["token"]).delete(f"{table.path}/seats/0/player").status_code == 204
    assert table.anyone.post("/v1/join", {"code": second}).status_code == 201


@pytest.mark.clause("TABLE-OFFICE-3")
def test_a_host_who_plays_is_no_arbiter_even_if_no_seat_knows_the_token_of_the_host(app: Flask) -> None:
    table = house.opened(app, visibility="public")
    problem(table.host.post("/v1/join", {"code": code_for(table, "arbiter")}), 409, "official-plays")
    assert officials(table) == []
    _, person = account(app)
    chairs = [{"kind": "human"}] * 2
    made: Any = person.post("/v1/matches", {"game": "monster_combat", "seats": chairs}).json
    by_account = Table(made["match"], Person(person.client), Person(person.client, made["token"]), (), ())
    for shown in (person, by_account.host):
        problem(shown.post("/v1/join", {"code": code_for(by_account, "arbiter")}), 409, "official-plays")


@pytest.mark.clause("TABLE-OFFICE-3")
def test_a_host_who_plays_and_was_named_an_arbiter_before_that_was_refused_decides_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here, about, mover = played(host_plays=True, courts={"arbiter_sees": "full"})
    with monkeypatch.context() as before:
        before.setattr(table_officials, "is_played_by_host", lambda match: False)
        joined: Any = here.table.host.post("/v1/join", {"code": code_for(here.table, "arbiter")})
    assert joined.status_code == 201
    for seat in range(here.seats):
        answered(here.table, seat, True, joined.json["officials"][0]["official"])
    number, arbiter = here.open(mover, about, "other")["dispute"], Person(here.table.host.client, joined.json["token"])
    for seat in range(here.seats):
        here.says(seat, number, "attestations", holds=True)
    for seat, remedy in enumerate(("leave", "void", "void")):
        here.says(seat, number, "votes", remedy=remedy)
    assert here.read(number)["stage"] == "ruling"
    problem(here.ruled(number, by=arbiter), 403, "not-accepted")
    assert arbiter.get(f"{here.table.path}/view?viewer=full").status_code == 403


@pytest.mark.clause("TABLE-OFFICE-3")
def test_who_opens_arbitrates_and_plays_by_one_account_is_one_person(app: Flask) -> None:
    _, person = account(app)
    chairs = [{"kind": "human"}] * 2
    made: Any = person.post(
        "/v1/matches", {"game": "monster_combat", "seats": chairs, "host_plays": False, "visibility": "public"}
    ).json
    path, host = f"/v1/matches/{made['match']}", Person(person.client, made["token"])
    table = Table(made["match"], Person(person.client), host, (), ())
    problem(person.post("/v1/join", {"code": code_for(table, "arbiter")}), 409, "official-already")
    sat: Any = person.post("/v1/join", {"code": made["invitations"][0]["code"]})
    assert sat.status_code == 201
    assert sat.json["token"] != host.token  # another token, the same person
    assert [each["left"] for each in host.get(path).json["officials"]] == [True]  # type: ignore[index]
    nobody = Person(person.client, "rfp_" + "A" * 43)
    problem(nobody.post("/v1/matches", {"game": "monster_combat", "seats": chairs}), 401, "unauthorized")


@pytest.mark.clause("TABLE-OFFICE-3")
def test_an_arbiter_who_sits_down_with_the_arbiter_token_is_none_any_more() -> None:
    here, about, mover = played(host_plays=True)
    third = others(here, mover)[1]
    assert here.table.seats[third].delete(f"{here.table.path}/seats/{third}/player").status_code == 204
    arbiter = here.table.arbiter()
    assert arbiter.post("/v1/join", {"code": code_for(here.table, f"seat:{third}")}).status_code == 201
    number = here.open(others(here, mover)[0], about, "other")["dispute"]
    problem(here.ruled(number, by=arbiter), 403, "own-cause")
    assert arbiter.delete(f"{here.table.path}/seats/{third}/player").status_code == 204
    problem(here.ruled(number, by=arbiter), 403, "not-accepted")  # the office is not given back


def test_a_new_player_on_a_seat_has_not_accepted_what_the_old_one_had(app: Flask) -> None:
    table = house.opened(app, host_plays=False)
    table.arbiter(silent=(0,))
    assert table.seats[0].delete(f"{table.path}/seats/0/player").status_code == 204
    assert [each["decides"] for each in officials(table)] == [True, True]  # all who are left have accepted
    table.anyone.post("/v1/join", {"code": code_for(table, "seat:0")})
    assert [each["accepted"] for each in officials(table)] == [[0, 1], [0, 1]]  # by sitting down, with both to be seen


def test_names_of_officials_stay_out_of_the_log(app: Flask) -> None:
    table = house.opened(app, visibility="public")
    joined: Any = table.anyone.post("/v1/join", {"code": code_for(table, "arbiter"), "name": "Zoë"}).json
    number = joined["officials"][0]["official"]
    names: Any = table.anyone.get(f"{table.path}/names").json
    assert names["officials"] == {str(number): "Zoë"}
    assert "Zoë" not in table.anyone.get(f"{table.path}/entries?limit=200").text


def test_seats_are_asked_for_what_they_have_not_answered(app: Flask) -> None:
    table = house.opened(app)
    table.arbiter(silent=(0,))
    table.seats[1].post(f"{table.path}/end", {"reason": "abandoned"}, If_Match="*")
    asked = table.moves(0)["asked"]
    (official,), (ending,) = ([each for each in asked if kind in each["path"]] for kind in ("/officials/", "/endings/"))
    for each, body in ((official, {"grant": True}), (ending, {"grant": False})):
        assert table.seats[0].post(each["path"], body).status_code in (200, 201)
    assert table.moves(0)["asked"] == []


# -- draws of the server -----------------------------------------------------------------------------------------------


def rolled(**body: Any) -> tuple[Court, int, Any]:
    """A match in which the server has just rolled: which entry it was, and its dice."""
    here = court("here_to_slay", seats=2, **body)
    for _ in range(100):
        here.play(1)
        entries = here.service.repository.load_entries(here.table.match)
        last = next((each for each in reversed(entries) if each.actor == "chance"), None)
        if last is not None and last.move is not None and "roll" in last.move.TAG:
            return here, last.version, last.move
    raise AssertionError("nobody rolled")


@pytest.mark.clause("TABLE-DRAW-1")
@pytest.mark.parametrize("claim", ["illegal_move", "misreported", "other"])
def test_no_claim_changes_what_the_server_drew(claim: str) -> None:
    here, about, move = rolled()
    arbiter = here.table.arbiter()
    for seat in (0, 1):
        found = here.open(seat, about, claim, statement="A cocked die.")
        assert (found["stage"], found["steps"], found["remedies"]) == ("ruled", [], [])
        assert found["rulings"][-1]["clauses"][0]["id"] == "TABLE-DRAW-1"
        number = found["dispute"]
        for by in (here.table.host, arbiter):
            for remedy in ("rewind", "void", "leave"):
                problem(here.ruled(number, by=by, remedy=remedy), 409, "proved")
        lost = here.says(seat, number, "appeals", grounds="It was cocked.", clause="TABLE-REMEDY-1")
        problem(lost, 409, "proved")
        problem(here.says(seat, number, "votes", remedy="rewind"), 409, "closed")
        back = here.table.seats[seat].post(f"{here.table.path}/takebacks", {"to": about - 1}, If_Match="*")
        assert back.status_code == 409 or back.json["takeback"]["stage"] == "asked"  # type: ignore[index]
    entries = here.service.repository.load_effective_entries(here.table.match, here.table.version)
    assert next(each.move for each in entries if each.version == about) == move


def resigns(table: Table, who: Person, official: int) -> Any:
    return who.delete(f"{table.path}/officials/{official}")


@pytest.mark.clause("TABLE-OFFICE-5")
def test_an_official_gives_the_office_back_and_the_match_is_one_without() -> None:
    here, about, mover = played(host_plays=True)
    claimant, third = others(here, mover)
    arbiter = here.table.arbiter()
    (named,) = officials(here.table)
    problem(resigns(here.table, here.table.host, named["official"]), 403, "not-your-office")
    problem(resigns(here.table, here.table.seats[0], named["official"]), 403, "host-or-arbiter-only")
    problem(resigns(here.table, arbiter, 999), 404, "no-such-official")
    number = here.open(claimant, about, "other")["dispute"]
    assert resigns(here.table, arbiter, named["official"]).status_code == 204
    last = here.table.version
    assert [(each["left"], each["decides"], each["asks"]) for each in officials(here.table)] == [(True, False, [])]
    assert resigns(here.table, arbiter, named["official"]).status_code == 204
    assert here.table.version == last
    problem(here.ruled(number, by=arbiter), 403, "not-accepted")
    told: Any = here.table.anyone.get(f"{here.table.path}/entries/{last}/explanation").json
    assert "has given the office back" in told["sentence"]["en"]
    assert "Amt niedergelegt" in told["sentence"]["de"]
    for seat in (claimant, third):  # a tie halts nothing now
        here.says(seat, number, "attestations", holds=seat == claimant)
    found = here.read(number)
    assert (found["stage"], {each["step"] for each in found["steps"]} & {"rulings", "appeals"}) == ("ruled", set())


@pytest.mark.clause("TABLE-OFFICE-5")
@pytest.mark.parametrize("two", [False, True])
def test_what_waits_for_the_only_official_is_settled_when_they_resign(two: bool) -> None:
    here, about, mover = played(seats=2, host_plays=True)
    arbiter = here.table.arbiter()
    if two:
        here.table.arbiter()
    number = here.open(1 - mover, about, "other")["dispute"]
    said = here.read(number)["now"]
    assert "Silence confirms nothing here" in said["en"]
    assert "Wer schweigt, bestätigt hier nichts" in said["de"]
    for seat in (0, 1):
        assert here.says(seat, number, "attestations", holds=bool(seat)).status_code == 201
    assert here.read(number)["stage"] == "ruling"
    assert resigns(here.table, arbiter, officials(here.table)[0]["official"]).status_code == 204
    assert here.read(number)["stage"] == ("ruling" if two else "ruled")
    assert find_first_divergence(here.service.repository.load_entries(here.table.match)) is None

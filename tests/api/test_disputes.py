"""Disputes over HTTP: the courts in their order, who may speak in them, what waits meanwhile, what is told to whom."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from api.http.problems import PROBLEMS, SLUG_BY_REASON
from api.openapi.examples import REQUEST_EXAMPLES
from referee.match.rulebook import TABLE_BOOK
from tests.api import house
from tests.api.disputing import Court, court
from tests.api.house import Person, problem
from tests.api.test_rights import spectator

RULED = {"upheld": True, "remedy": "rewind", "clauses": ["TABLE-REMEDY-1"], "reason": "Back to it."}


def played(seats: int = 3, game: str = "monster_combat", **body: Any) -> tuple[Court, int, int]:
    """A match in which somebody has just moved: which entry it was, and which seat."""
    here = court(game, seats=seats, **body)
    here.play(2)
    following = here.following()
    assert following is not None
    made = here.makes(*following)
    assert made.status_code == 201
    return here, int(made.json["entry"]["version"]), int(following[0])


def others(here: Court, seat: int) -> list[int]:
    """All seats but one."""
    return [each for each in range(here.seats) if each != seat]


def invited(here: Court, role: str) -> Person:
    """Somebody in this role; an arbiter is accepted by all."""
    if role == "arbiter":
        return here.table.arbiter()
    code: Any = here.table.host.post(f"{here.table.path}/invitations", {"role": role}).json
    joined: Any = here.table.anyone.post("/v1/join", {"code": code["code"]}).json
    return Person(here.table.anyone.client, joined["token"])


def later(here: Court, ms: int) -> None:
    """Lets time go by."""
    here.service.log.advance_clock(ms)  # type: ignore[attr-defined]


def report() -> tuple[Court, dict[str, Any], dict[str, Any]]:
    """A match with real dice in which a roll has just been reported: its entry, and what else it might have been."""
    here = court("here_to_slay", {"dice": "table", "deck": "server"}, seats=4)
    for _ in range(200):
        seat, move = here.following() or (0, None)
        assert move is not None, "the match is over before a die was cast"
        made = here.makes(seat, move)
        assert made.status_code == 201, made.text
        dice = made.json["entry"]["move"].get("values")
        if seat == -1 and dice:
            return here, made.json["entry"], {**made.json["entry"]["move"], "values": [7 - die for die in dice]}
    pytest.fail("no die was cast")


@pytest.mark.clause("TABLE-DISPUTE-3")
@pytest.mark.clause("TABLE-DISPUTE-4")
@pytest.mark.clause("TABLE-REMEDY-1")
def test_dice_that_were_misreported_are_attested_voted_on_and_put_right() -> None:
    here, entry, right = report()
    right.pop("told")
    about = entry["version"]
    found = here.open(1, about, "misreported", move=right, saw=right["values"], statement="It was a low one.")
    number = found["dispute"]
    assert (found["stage"], found["court"], found["parties"]) == ("attesting", "table", [0, 1])
    assert found["rulings"][0]["verdict"] == "undecided"
    assert found["rulings"][0]["remedy"] is None
    assert found["asks"] == found["decide"] == [2, 3]
    assert found["until"] > found["rulings"][0]["at"]
    match: Any = here.table.anyone.get(here.table.path).json
    assert (match["status"], match["disputes"], match["awaits"]) == ("disputed", [number], [])

    first: Any = here.says(2, number, "attestations", holds=True, saw=right["values"]).json
    assert first["dispute"]["stage"] == "attesting"
    assert first["dispute"]["attestations"] == [{"seat": 2, "holds": True, "saw": right["values"]}]
    second: Any = here.says(3, number, "attestations", holds=True).json
    assert second["dispute"]["stage"] == "voting"
    found = here.read(number)
    refused = problem(here.says(2, number, "votes", remedy="restore"), 409, "not-offered")
    assert [each["id"] for each in refused["ruling"]["clauses"]] == ["TABLE-DISPUTE-9"]
    rungs = {each["remedy"]: each for each in found["remedies"]}
    assert list(rungs) == ["leave", "partial_fix", "rewind", "void"]
    assert rungs["partial_fix"]["offered"]
    assert rungs["partial_fix"]["mild"]
    assert rungs["rewind"]["offered"]
    assert not rungs["rewind"]["mild"]  # a die has been cast since
    assert found["decide"] == [0, 1, 2, 3]
    shown: Any = here.table.anyone.get(f"{here.disputes}/{number}/remedies/partial_fix").json
    assert shown["why"] == rungs["partial_fix"]["why"]
    for seat in (0, 1, 2):
        here.says(seat, number, "votes", remedy="partial_fix")
    done: Any = here.says(3, number, "votes", remedy="partial_fix").json
    assert done["dispute"]["stage"] == "ruled"
    assert [(each["court"], each["verdict"], each["remedy"]) for each in done["dispute"]["rulings"]] == [
        ("referee", "undecided", None),
        ("table", "does_not_stand", None),
        ("table", "does_not_stand", "partial_fix"),
    ]
    kinds = [event["type"] for event in done["entry"]["events"]]
    assert kinds[:2] == ["table.Voted", "table.RulingIssued"]
    assert "table.Rewound" in kinds
    if not shown["hides"]:
        now: Any = here.table.anyone.get(f"{here.table.path}/view?version={done['entry']['version']}").json
        assert now["table"] == shown["view"]["table"]
        drawn: Any = here.table.anyone.get(f"{here.table.path}/board?version={done['entry']['version']}").json
        assert drawn["board"] == shown["board"]
    else:
        assert (shown["view"], shown["board"]) == (None, None)
    match = here.table.anyone.get(here.table.path).json
    assert (match["status"], match["disputes"]) == ("running", [])


@pytest.mark.clause("TABLE-DISPUTE-2")
def test_moves_wait_for_a_dispute_unless_the_match_is_set_to_play_on() -> None:
    for play_on in (False, True):
        here, about, mover = played(courts={"play_on": play_on})
        following = here.following()
        assert following is not None
        number = here.open(others(here, mover)[0], about, "other")["dispute"]
        made = here.makes(*following)
        seat = int(following[0])
        listed: Any = here.table.moves(seat)
        if play_on:
            assert made.status_code == 201
            assert made.json["status"] == "disputed"
        else:
            problem(made, 409, "in-dispute")
            dry = here.table.seats[seat].post(
                f"{here.table.path}/seats/{seat}/moves/check", {"move": listed["legal"] or {"type": "mc.pass"}}
            )
            problem(dry, 409, "in-dispute")
            assert (listed["legal"], listed["awaited"]) == ([], False)
            assert here.ruled(number, remedy="leave", upheld=False).status_code == 201
            assert here.makes(*following).status_code == 201


@pytest.mark.clause("TABLE-RULING-4")
def test_the_host_overrules_and_keeps_it_and_it_is_offered_the_next_time() -> None:
    here, about, mover = played()
    claimant, third = others(here, mover)
    opened = here.open(claimant, about, "illegal_move", clause="MC-TURN-1")
    number = opened["dispute"]
    assert (opened["stage"], opened["rulings"][0]["verdict"], opened["precedents"]) == ("ruled", "stands", [])
    assert opened["appeal_until"] is not None
    found = here.ruled(number, remedy="leave", reason="We play it so.", keep=True)
    assert found.status_code == 201, found.text
    last = found.json["dispute"]["rulings"][-1]
    assert (last["court"], last["by"], last["verdict"], last["kept"]) == ("arbiter", "host", "does_not_stand", True)
    assert [each["id"] for each in last["departs_from"]] == [each["id"] for each in opened["rulings"][0]["clauses"]]
    assert last["statement"] == "We play it so."
    assert found.json["dispute"]["appeal_until"] is None
    problem(here.ruled(number, remedy="restore"), 409, "not-offered")

    kept: Any = here.table.anyone.get(f"{here.table.path}/precedents").json
    (one,) = kept["items"]
    assert (one["dispute"], one["claim"], one["by"]) == (number, "illegal_move", "host")
    assert one["clauses"][0]["says"]["de"]
    again = here.open(third, about, "illegal_move")
    assert again["precedents"] == kept["items"]
    assert here.open(third, about, "missed_effect")["precedents"] == []

    heir = house.opened(here.app, "monster_combat", 2, precedents_of=here.table.match)
    taken: Any = heir.host.get(f"{heir.path}/precedents").json
    assert taken == kept
    stranger = house.opened(here.app, "shy_monsters", 2, precedents_of=here.table.match)
    assert stranger.host.get(f"{stranger.path}/precedents").json == {"items": [], "next_cursor": None}


def test_house_rulings_of_a_private_match_are_taken_over_by_its_own_people_only(app: Any) -> None:
    table = house.opened(app, visibility="private")
    body = {"game": "monster_combat", "seats": [{"kind": "human"}] * 2, "precedents_of": table.match}
    problem(table.anyone.post("/v1/matches", body), 404, "unknown-match")
    problem(Person(app.test_client(), "rfs_" + "A" * 43).post("/v1/matches", body), 404, "unknown-match")
    missing = {**body, "precedents_of": "07-" + "x" * 26}
    problem(table.host.post("/v1/matches", missing), 404, "unknown-match")
    assert table.seats[0].post("/v1/matches", body).status_code == 201


@pytest.mark.clause("TABLE-RULING-2")
def test_appeals_go_from_court_to_court_as_the_match_is_set() -> None:
    said = {"grounds": "It was not so.", "clause": "MC-TURN-1"}
    here, about, mover = played(courts={"levels": ["referee"]})
    claimant = others(here, mover)[0]
    first = here.open(claimant, about, "illegal_move")
    assert first["appeal_until"] is None
    problem(here.says(claimant, first["dispute"], "appeals", **said), 409, "last-court")
    problem(here.ruled(first["dispute"]), 409, "no-arbiter")

    here, about, mover = played(courts={"levels": ["referee", "arbiter"]})
    claimant = others(here, mover)[0]
    number = here.open(claimant, about, "illegal_move")["dispute"]
    problem(here.says(claimant, number, "appeals", grounds="It was not so."), 422, "clause-missing")
    wrong = problem(here.says(claimant, number, "appeals", **{**said, "clause": "MC-NO-1"}), 422, "invalid-input")
    assert wrong["errors"][0]["pointer"] == "/clause"
    up: Any = here.says(claimant, number, "appeals", **said).json
    assert (up["dispute"]["stage"], up["dispute"]["court"]) == ("ruling", "arbiter")
    assert up["dispute"]["appeals"] == [{"version": up["version"], "seat": claimant, **said}]
    problem(here.says(claimant, number, "appeals", **said), 409, "closed")
    assert here.ruled(number, remedy="rewind").json["dispute"]["stage"] == "ruled"

    here, about, mover = played(courts={"appeal_ms": 5_000})
    claimant = others(here, mover)[0]
    number = here.open(claimant, about, "illegal_move")["dispute"]
    later(here, 5_001)
    problem(here.says(claimant, number, "appeals", **said), 409, "out-of-time")


@pytest.mark.clause("TABLE-RULING-3")
def test_where_the_table_is_silent_its_time_runs_out_and_the_next_court_has_it() -> None:
    here, about, mover = played(courts={"answer_ms": 5_000})
    number = here.open(others(here, mover)[0], about, "other")["dispute"]
    later(here, 4_999)
    assert here.read(number)["stage"] == "attesting"
    later(here, 2)
    found = here.read(number)
    assert (found["stage"], found["court"]) == ("ruling", "arbiter")
    assert found["until"] is not None
    here, about, mover = played(courts={"answer_ms": 5_000, "levels": ["referee", "table"]})
    number = here.open(others(here, mover)[0], about, "other")["dispute"]
    later(here, 5_001)
    found = here.read(number)
    assert (found["stage"], found["rulings"][-1]["verdict"]) == ("ruled", "stands")


def test_disputes_are_opened_in_time_and_about_what_counts() -> None:
    here, about, mover = played(courts={"claims_ms": 60_000})
    claimant = others(here, mover)[0]
    seat = here.table.seats[claimant]
    for entry in (1, here.table.version + 1):
        problem(seat.post(here.disputes, {"about": entry, "claim": "other"}), 409, "no-such-entry")
    number = here.open(claimant, about, "other")["dispute"]
    problem(seat.post(here.disputes, {"about": about, "claim": "other"}), 409, "dispute-open")
    problem(seat.get(f"{here.disputes}/{number + 1}"), 404, "no-such-dispute")
    assert here.ruled(number).status_code == 201
    problem(seat.post(here.disputes, {"about": about, "claim": "other"}), 409, "no-such-entry")  # play went back

    here, about, mover = played(courts={"claims_ms": 60_000})
    end = here.table.end("abandoned")
    assert end.status_code == 201
    problem(here.table.seats[0].post(here.disputes, {"about": about, "claim": "other"}), 409, "match-over")


def test_a_finished_match_is_disputed_for_a_set_time() -> None:
    here, about, mover = played(courts={"claims_ms": 60_000})
    placement = [[seat] for seat in range(here.seats)]
    assert here.table.end("agreed", placement=placement).status_code == 201
    later(here, 59_000)
    number = here.open(others(here, mover)[0], about, "other")["dispute"]
    match: Any = here.table.anyone.get(here.table.path).json
    assert (match["status"], match["disputes"]) == ("disputed", [number])
    assert here.ruled(number, remedy="leave", upheld=False).json["status"] == "finished"
    later(here, 1_001)
    late = here.table.seats[0].post(here.disputes, {"about": about, "claim": "wrong_count"})
    problem(late, 409, "out-of-time")


@pytest.mark.clause("TABLE-RULING-4", "TABLE-OFFICE-3")
def test_nobody_rules_who_plays_or_who_opened_the_dispute() -> None:
    here, about, mover = played()
    claimant, third = others(here, mover)
    assert here.table.host.delete(f"{here.table.path}/seats/{third}/player").status_code == 204
    arbiter = invited(here, "arbiter")
    fresh: Any = here.table.host.post(f"{here.table.path}/invitations", {"role": f"seat:{third}"}).json
    assert here.table.host.post("/v1/join", {"code": fresh["code"]}).status_code == 201  # the host sits down
    number = here.open(claimant, about, "other")["dispute"]  # to which the host's seat is no party
    problem(here.ruled(number), 403, "own-cause")
    said = here.ruled(number, by=arbiter, remedy="leave")
    assert said.json["dispute"]["rulings"][-1]["by"] == "arbiter"

    here, about, _ = played(seats=2)
    opened: Any = here.table.host.post(here.disputes, {"about": about, "claim": "other"}).json
    assert {each["step"] for each in opened["dispute"]["steps"]} == {"attestations", "withdrawal"}
    problem(here.ruled(opened["dispute"]["dispute"], remedy="leave"), 403, "own-cause")


def test_host_and_arbiter_dispute_as_such_and_only_the_claimant_withdraws() -> None:
    here, about, mover = played()
    arbiter = invited(here, "arbiter")
    for person, by in ((here.table.host, "host"), (arbiter, "arbiter")):
        opened: Any = person.post(here.disputes, {"about": about, "claim": "other"}).json
        number = opened["dispute"]["dispute"]
        assert (opened["dispute"]["by"], opened["dispute"]["parties"]) == (by, [mover])
        problem(here.table.seats[0].post(f"{here.disputes}/{number}/withdrawal"), 403, "not-yours")
        back = person.post(f"{here.disputes}/{number}/withdrawal")
        assert back.json["dispute"]["stage"] == "withdrawn"  # type: ignore[index]
        problem(person.post(f"{here.disputes}/{number}/withdrawal"), 409, "closed")
        refused = {"about": about, "claim": "wrong_refusal", "move": {"type": "mc.pass"}}
        problem(person.post(here.disputes, refused), 403, "players-only")
    problem(spectator(here.table).post(here.disputes, {"about": about, "claim": "other"}), 403, "forbidden")


def test_a_token_that_holds_two_seats_names_the_one_that_speaks() -> None:
    here, about, mover = played()
    claimant, third = others(here, mover)
    assert here.table.seats[third].delete(f"{here.table.path}/seats/{third}/player").status_code == 204
    code: Any = here.table.host.post(f"{here.table.path}/invitations", {"role": f"seat:{third}"}).json
    phone = here.table.seats[claimant]
    assert phone.post("/v1/join", {"code": code["code"]}).status_code == 201
    unnamed = problem(phone.post(here.disputes, {"about": about, "claim": "other"}), 422, "invalid-input")
    assert unnamed["errors"][0]["pointer"] == "/seat"
    problem(phone.post(here.disputes, {"about": about, "claim": "other", "seat": mover}), 403, "not-your-seat")
    opened: Any = phone.post(here.disputes, {"about": about, "claim": "other", "seat": third}).json
    assert opened["dispute"]["by"] == third
    number = opened["dispute"]["dispute"]
    assert opened["dispute"]["decide"] == [claimant]
    said = phone.post(f"{here.disputes}/{number}/attestations", {"holds": True, "seat": claimant})
    assert said.json["dispute"]["stage"] == "voting"  # type: ignore[index]


@pytest.mark.clause("TABLE-RULING-5")
def test_an_accepted_arbiter_sees_all_while_a_dispute_waits_for_the_ruling_and_the_log_says_so() -> None:
    here, about, mover = played(courts={"arbiter_sees": "full"}, host_plays=True)
    arbiter, path = invited(here, "arbiter"), f"{here.table.path}/view?viewer=full"
    stranger = here.table.arbiter(silent=(0,))
    claimant = others(here, mover)[0]
    problem(arbiter.get(path), 403, "full-view-only")
    number = here.open(claimant, about, "other")["dispute"]
    problem(arbiter.get(path), 403, "full-view-only")  # the table has the dispute
    later(here, 120_000)  # nobody attests
    assert here.read(number)["stage"] == "ruling"
    version = here.table.version
    for _ in range(2):
        seen: Any = arbiter.get(path).json
        assert (seen["viewer"], seen["version"]) == ("full", version + 1)
    entry: Any = here.table.anyone.get(f"{here.table.path}/entries/{version + 1}").json
    assert [(each["type"], each["dispute"]) for each in entry["events"]] == [("table.Looked", number)]
    assert entry["clauses"] == ["TABLE-RULING-5"]
    told: Any = arbiter.get(f"{here.table.path}/disputes/{number}?viewer=full").json
    assert told["dispute"] == number
    for person in here.table.seats:
        problem(person.get(path), 409, "still-running")
    for person in (here.table.host, stranger, spectator(here.table)):
        problem(person.get(path), 403, "full-view-only")
    back = here.table.seats[claimant].post(f"{here.disputes}/{number}/withdrawal")
    problem(back, 409, "cards-seen")  # what was looked at needs a ruling
    assert "withdrawal" not in {each["step"] for each in here.read(number)["steps"]}
    assert here.ruled(number, by=arbiter, remedy="leave", upheld=False).status_code == 201
    problem(arbiter.get(path), 403, "full-view-only")
    assert here.table.version == version + 2

    third = others(here, mover)[1]
    assert here.table.seats[third].delete(f"{here.table.path}/seats/{third}/player").status_code == 204
    code: Any = here.table.host.post(f"{here.table.path}/invitations", {"role": f"seat:{third}"}).json
    problem(arbiter.post("/v1/join", {"code": code["code"]}), 409, "official-saw-cards")


def test_an_arbiter_sees_no_more_than_others_where_the_match_does_not_say_so() -> None:
    here, about, mover = played()
    arbiter = invited(here, "arbiter")
    here.open(others(here, mover)[0], about, "other")
    version = here.table.version
    problem(arbiter.get(f"{here.table.path}/view?viewer=full"), 403, "full-view-only")
    assert here.table.version == version


def test_what_is_asked_twice_with_one_key_is_done_once() -> None:
    here, about, mover = played()
    claimant = here.table.seats[others(here, mover)[0]]
    body = {"about": about, "claim": "other"}
    first = claimant.post(here.disputes, body, Idempotency_Key="a-dispute")
    again = claimant.post(here.disputes, body, Idempotency_Key="a-dispute")
    assert (again.status_code, again.json) == (201, first.json)
    assert again.headers["Idempotency-Replayed"] == "true"
    problem(
        claimant.post(here.disputes, {**body, "claim": "wrong_count"}, Idempotency_Key="a-dispute"),
        422,
        "idempotency-key-reused",
    )
    number, host = first.json["dispute"]["dispute"], here.table.host  # type: ignore[index]
    path = f"{here.disputes}/{number}/rulings"
    problem(host.post(path, RULED, If_Match=f'"v{number - 1}"'), 412, "stale-version")
    problem(host.post(path, RULED, If_Match=""), 428, "if-match-missing")
    done = host.post(path, RULED, If_Match=f'"v{number}"', Idempotency_Key="a-ruling")
    twice = host.post(path, RULED, If_Match=f'"v{number}"', Idempotency_Key="a-ruling")
    assert (done.status_code, twice.status_code, twice.json) == (201, 201, done.json)


def test_a_ruling_names_clauses_that_there_are() -> None:
    here, about, mover = played()
    number = here.open(others(here, mover)[0], about, "other")["dispute"]
    problem(here.ruled(number, clauses=[]), 422, "clause-missing")
    wrong = problem(here.ruled(number, clauses=["MC-TURN-1", "MC-NO-1"]), 422, "invalid-input")
    assert wrong["errors"][0]["pointer"] == "/clauses/1"
    wrong = problem(here.ruled(number, reason=""), 422, "invalid-input")
    assert wrong["errors"][0]["pointer"] == "/reason"
    assert here.read(number)["stage"] == "attesting"


@pytest.mark.parametrize(
    ("courts", "pointer"),
    [
        ({"levels": []}, "/courts/levels"),
        ({"levels": ["table"]}, "/courts/levels"),
        ({"levels": ["referee", "arbiter", "table"]}, "/courts/levels"),
        ({"levels": ["referee", "referee"]}, "/courts/levels"),
        ({"levels": ["referee", "king"]}, "/courts/levels/1"),
        ({"answer_ms": 4_999}, "/courts/answer_ms"),
        ({"answer_ms": 7 * 24 * 3_600_000 + 1}, "/courts/answer_ms"),
        ({"appeal_ms": -1}, "/courts/appeal_ms"),
        ({"correct_ms": 600_001}, "/courts/correct_ms"),
        ({"claims_ms": 30 * 24 * 3_600_000 + 1}, "/courts/claims_ms"),
        ({"arbiter_sees": "all"}, "/courts/arbiter_sees"),
        ({"play_on": 1}, "/courts/play_on"),
        ({"judge": True}, "/courts/judge"),
    ],
)
def test_a_wrong_setting_of_the_courts_is_named(app: Any, courts: dict[str, Any], pointer: str) -> None:
    body = {"game": "monster_combat", "seats": [{"kind": "human"}] * 2, "courts": courts}
    wrong = problem(Person(app.test_client()).post("/v1/matches", body), 422, "invalid-input")
    assert [error["pointer"] for error in wrong["errors"]] == [pointer]


def test_courts_are_set_when_a_match_is_opened_and_changed_before_its_start(app: Any) -> None:
    table = house.opened(app, start=False, courts={"play_on": True, "levels": ["referee", "table"]})
    about: Any = table.host.get(table.path).json
    usual = {
        "answer_ms": 120_000, "appeal_ms": 600_000, "correct_ms": 10_000, "claims_ms": 86_400_000,
        "rule_ms": 900_000, "undo_ms": 900_000, "edition": 3, "witness": False, "arbiter_sees": "public",
        "disputes_an_hour": 6, "takebacks_an_hour": 20, "open_disputes": 3,
    }  # fmt: skip
    assert about["courts"] == {"play_on": True, "levels": ["referee", "table"], **usual}
    kept: Any = table.host.patch(table.path, {"visibility": "public"}, If_Match="*").json
    assert kept["courts"] == about["courts"]
    changed: Any = table.host.patch(table.path, {"courts": {"answer_ms": 5_000}}, If_Match="*").json
    levels = ["referee", "table", "arbiter"]
    assert changed["courts"] == {"play_on": False, "levels": levels, **usual, "answer_ms": 5_000}


def test_only_disputes_that_were_opened_count() -> None:
    app = house.app(RATES={**house.FREE, "disputes": 6})
    table = house.opened(app)
    body = {"about": 1, "claim": "other"}
    answers = [table.seats[0].post(f"{table.path}/disputes", body).status_code for _ in range(7)]
    answers += [table.seats[0].post(f"{table.path}/disputes", {"about": "x"}).status_code for _ in range(7)]
    assert answers == [409] * 7 + [422] * 7, "what was refused opened no dispute"


def test_a_server_takes_only_so_many_disputes_of_a_token_and_says_so() -> None:
    table = house.opened(house.app(RATES={**house.FREE, "disputes": 2}), courts={"disputes_an_hour": 100})
    seat = table.awaited[0]
    for _ in range(2):
        about = table.move(seat, table.moves(seat)["legal"][0]["move"]).json["entry"]["version"]
        body = {"about": about, "claim": "illegal_move"}
        assert table.seats[0].post(f"{table.path}/disputes", body).status_code == 201
        seat = next(each for each in table.awaited if isinstance(each, int))
    said = problem(table.seats[0].post(f"{table.path}/disputes", body), 429, "too-many-requests")
    assert (said["kind"], said["limit"]) == ("disputes", 2)
    assert "“disputes”" in said["detail"]
    assert table.seats[1].post(f"{table.path}/disputes", body).status_code != 429
    assert table.seats[0].get(f"{table.path}/disputes").status_code == 200


def test_what_is_refused_counts_as_a_write() -> None:
    table = house.opened(house.app(RATES={**house.FREE, "writes": 4}), start=False)
    answers = [table.seats[0].post(f"{table.path}/disputes", {"about": "x"}).status_code for _ in range(6)]
    assert answers == [422] * 4 + [429] * 2


def test_what_somebody_saw_is_short_and_plain() -> None:
    here, about, mover = played()
    seat = here.table.seats[others(here, mover)[0]]
    for saw in ("x" * 1001, {"a": [1.5]}, [["x" * 100] * 11], {"a": [[1]]}, [{"a": {}}], [[[1]]]):
        wrong = problem(seat.post(here.disputes, {"about": about, "claim": "other", "saw": saw}), 422, "invalid-input")
        assert wrong["errors"][0]["pointer"] == "/saw"
    for statement in ("x" * 501, "a\nb"):
        body = {"about": about, "claim": "other", "statement": statement}
        assert problem(seat.post(here.disputes, body), 422, "invalid-input")["errors"][0]["pointer"] == "/statement"
    foreign = {"about": about, "claim": "wrong_refusal", "move": {"type": "sm.claim"}}
    assert problem(seat.post(here.disputes, foreign), 422, "invalid-input")["errors"][0]["pointer"] == "/move/type"
    bare = {"about": about, "claim": "wrong_refusal"}
    assert problem(seat.post(here.disputes, bare), 422, "invalid-input")["errors"][0]["pointer"] == "/move"
    assert here.table.anyone.get(here.disputes).json == {"items": [], "next_cursor": None}


@pytest.mark.clause("TABLE-REMEDY-2")
def test_the_host_puts_right_by_hand_what_he_can_see_and_learns_nothing_of_what_he_cannot() -> None:
    here, about, mover = played()
    number = here.open(others(here, mover)[0], about, "wrong_count")["dispute"]
    state: Any = here.service.load_match(here.table.match).match.state
    hearts = state.hearts[mover]
    for card in (*state.cards_at("hand:0"), "sword", "nothing"):
        for further in ({"turn": 99}, {"set": "/hearts/0", "to": 2}):
            fix = [{"move": card, "from": "hand:0", "to": "hand:1"}, further]
            wrong = problem(here.ruled(number, remedy="partial_fix", fix=fix), 422, "invalid-input")
            assert wrong["errors"] == [{"pointer": "/fix/0/move", "detail": "No such card lies open to you there."}]
    wrong = problem(here.ruled(number, remedy="partial_fix", fix=[{"turn": 99}]), 422, "invalid-input")
    assert wrong["errors"][0]["pointer"] == "/fix/0/turn"
    impossible = [{"set": f"/hearts/{mover}", "to": 99}]
    problem(here.ruled(number, remedy="partial_fix", fix=impossible), 409, "position-impossible")
    wrong = problem(here.ruled(number, remedy="rewind", fix=[{"turn": 0}]), 422, "invalid-input")
    assert wrong["errors"][0]["pointer"] == "/fix"
    fewer = [{"set": f"/hearts/{mover}", "to": hearts - 1}]
    done = here.ruled(number, remedy="partial_fix", fix=fewer, clauses=["TABLE-REMEDY-2"])
    assert done.status_code == 201, done.text
    view: Any = here.table.anyone.get(f"{here.table.path}/view").json
    assert view["table"]["hearts"][mover] == hearts - 1
    assert done.json["entry"]["move"]["fix"] == [{"set": f"/hearts/{mover}"}]
    assert here.play(2) == 2


@pytest.mark.usefixtures("first_scheme")
def test_an_arbiter_who_looks_at_all_cards_may_say_where_one_belongs() -> None:
    here, about, mover = played(courts={"arbiter_sees": "full", "levels": ["referee", "arbiter"]})
    arbiter = invited(here, "arbiter")
    number = here.open(others(here, mover)[0], about, "other")["dispute"]
    state: Any = here.service.load_match(here.table.match).match.state
    card = state.cards_at("hand:0")[0]
    body = {**RULED, "remedy": "partial_fix", "fix": [{"move": card, "from": "hand:0", "to": "hand:1"}]}
    problem(arbiter.post(f"{here.disputes}/{number}/rulings", body, If_Match="*"), 422, "invalid-input")
    assert arbiter.get(f"{here.table.path}/view?viewer=full").status_code == 200
    for _ in range(2):
        done = arbiter.post(f"{here.disputes}/{number}/rulings", body, If_Match="*", Idempotency_Key="by-hand")
        assert done.status_code == 201, done.text
    assert done.headers["Idempotency-Replayed"] == "true"
    after: Any = here.service.load_match(here.table.match).match.state
    assert sorted(after.cards_at("hand:1")) == sorted((*state.cards_at("hand:1"), card))
    assert done.json["entry"]["move"]["fix"][0]["move"].startswith("?")


def test_every_refusal_of_a_court_is_a_problem_of_its_own() -> None:
    said = set()
    for path in (Path(__file__).parents[2] / "referee" / "arbitration").rglob("*.py"):
        said |= set(re.findall(r'IllegalMove\(\s*"(court\.[a-z_]+)"', path.read_text("utf-8")))
    assert said
    said -= {"court.witness_not_late", "court.wrong_facts"}  # of the clock's own ask, and of logs judged again
    slugs = {SLUG_BY_REASON.get(key, key.removeprefix("court.").replace("_", "-")) for key in said}
    assert slugs <= set(PROBLEMS), slugs - set(PROBLEMS)
    assert all(TABLE_BOOK.has_text(key) for key in said)


def test_the_examples_of_disputes_are_played() -> None:
    here, about, mover = played()
    claimant, third = others(here, mover)
    examples = {name: {**each["value"], "about": about} for name, each in REQUEST_EXAMPLES["openDispute"].items()}
    opened = {
        name: here.table.seats[claimant].post(here.disputes, body)
        for name, body in examples.items() if name != "wrong_refusal"
    }  # fmt: skip
    assert {name: each.status_code for name, each in opened.items()} == {"illegal_move": 201, "misreported": 201}
    number = opened["illegal_move"].json["dispute"]["dispute"]  # type: ignore[index]
    up = here.says(claimant, number, "appeals", **REQUEST_EXAMPLES["fileAppeal"]["misapplied"]["value"])
    assert up.json["dispute"]["stage"] == "ruling", "what the referee has proved is not put to the table"
    second = opened["misreported"].json["dispute"]["dispute"]  # type: ignore[index]
    last = here.table.host.post(
        f"{here.disputes}/{second}/rulings", REQUEST_EXAMPLES["issueRuling"]["overruled"]["value"], If_Match="*"
    )
    assert last.status_code == 201, last.text
    wrong = {**examples["wrong_refusal"], "about": here.table.version}
    judged: Any = here.table.seats[claimant].post(here.disputes, wrong)
    assert judged.status_code == 201, judged.text
    opened_by_host: Any = here.table.host.post(here.disputes, {"about": about, "claim": "other"})
    third_one = opened_by_host.json["dispute"]["dispute"]
    denied = here.says(third, third_one, "attestations", **REQUEST_EXAMPLES["giveAttestation"]["against"]["value"])
    assert denied.json["dispute"]["stage"] == "attesting", denied.text
    assert here.says(third, third_one, "attestations", holds=True).status_code == 201
    assert here.attested(third_one)["stage"] == "voting"
    asked = here.read(third_one)["asks"][0]
    said = here.says(asked, third_one, "votes", **REQUEST_EXAMPLES["castVote"]["leave"]["value"])
    assert said.status_code == 201, said.text

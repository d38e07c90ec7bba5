"""What can be done about a quarrel now, and by whom: told so that buttons can be made of it, and true."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from api.http.schemas.fields import PLAIN_COMPONENTS
from api.resources.disputes.corrections import CorrectionField
from tests.api import house, tables
from tests.api.disputing import Court
from tests.api.house import Person
from tests.api.test_disputes import invited, later, played, report

BODIES: dict[str, Any] = {
    "attestations": {"holds": True},
    "votes": {"remedy": "leave"},
    "appeals": {"grounds": "It was so.", "clause": "TABLE-REMEDY-1"},
    "rulings": {"upheld": False, "remedy": "leave", "clauses": ["TABLE-RULING-4"], "reason": "So be it."},
    "withdrawal": None,
}


def told(here: Court, number: int) -> set[tuple[str, int | str]]:
    """Which steps are told of a dispute, and to whom."""
    return {(each["step"], who) for each in here.read(number)["steps"] for who in each["by"]}


def can(here: Court, number: int, step: str, by: Person) -> bool:
    """Whether a step is taken at all: asked for under a version that has long gone by, or with a remedy that is none,
    so that nothing comes of it."""
    body = BODIES[step]
    if step == "rulings":
        made = by.post(f"{here.disputes}/{number}/{step}", {**body, "fix": [{"turn": 0}]}, If_Match="*")
        return made.status_code == 422  # to let it stand and to correct by hand do not go together
    if step == "votes":
        made = by.post(f"{here.disputes}/{number}/{step}", {"remedy": "leave", "fix": [{"turn": 0}]})
        return made.status_code == 422  # likewise
    made = by.post(f"{here.disputes}/{number}/{step}", body)
    return made.status_code == 201


def tried(here: Court, number: int, people: dict[int | str, Person], steps: tuple[str, ...]) -> None:
    """The steps that change nothing are open to those, and to those alone, of whom it is told."""
    listed = told(here, number)
    for step in steps:
        for who, person in people.items():
            assert can(here, number, step, person) == ((step, who) in listed), (step, who, listed)


@pytest.mark.clause("TABLE-DISPUTE-3")
@pytest.mark.clause("TABLE-RULING-4")
def test_whoever_may_do_something_about_a_dispute_is_told_so_and_nobody_else() -> None:
    here, entry, right = report()
    right.pop("told")
    people: dict[int | str, Person] = dict(enumerate(here.table.seats))
    people |= {"host": here.table.host, "arbiter": invited(here, "arbiter")}
    unmoved = ("votes", "rulings")
    number = here.open(1, entry["version"], "misreported", move=right)["dispute"]
    seats = {("attestations", seat) for seat in range(4)}
    rulers = {("rulings", "host"), ("rulings", "arbiter")}
    assert told(here, number) == seats | rulers | {("withdrawal", 1)}
    until = {each["step"]: each["until"] for each in here.read(number)["steps"]}
    assert until == {"attestations": here.read(number)["until"], "rulings": None, "withdrawal": None}
    tried(here, number, people, (*unmoved, "appeals"))
    for seat in (2, 3):
        assert can(here, number, "attestations", people[seat])
    assert here.read(number)["stage"] == "voting"
    assert told(here, number) == {("votes", seat) for seat in range(4)} | {("withdrawal", 1)} | rulers
    tried(here, number, people, (*unmoved, "appeals", "attestations"))

    for who in (0, 2, 3, "host", "arbiter"):
        assert not can(here, number, "withdrawal", people[who])
    assert can(here, number, "withdrawal", people[1])
    assert told(here, number) == set()
    tried(here, number, people, tuple(BODIES))


@pytest.mark.clause("TABLE-RULING-2")
def test_a_ruling_that_stands_is_open_to_appeal_and_to_the_last_word_alone() -> None:
    here, about, mover = played()
    people: dict[int | str, Person] = {**dict(enumerate(here.table.seats)), "host": here.table.host}
    opened = here.open((mover + 1) % 3, about, "illegal_move")
    number = opened["dispute"]
    steps = {each["step"]: each for each in opened["steps"]}
    assert set(steps) == {"appeals", "rulings"}
    assert steps["appeals"]["by"] == [0, 1, 2]
    assert steps["appeals"]["until"] == opened["appeal_until"]
    tried(here, number, people, ("votes", "rulings", "attestations", "withdrawal"))
    assert here.ruled(number, remedy="leave").status_code == 201
    assert told(here, number) == {("rulings", "host")}, "who ruled may undo it"
    tried(here, number, people, tuple(BODIES))


def test_a_match_without_an_arbiter_offers_nobody_the_last_word() -> None:
    here, about, mover = played(courts={"levels": ["referee", "table"]})
    found = here.open((mover + 1) % 3, about, "other")
    assert {each["step"] for each in found["steps"]} == {"attestations", "withdrawal"}
    own: Any = here.table.host.post(here.disputes, {"about": about, "claim": "missed_effect"})
    assert {each["step"] for each in own.json["dispute"]["steps"]} <= {"appeals"}


def asked(here: Court, seat: int) -> tuple[Any, list[Any]]:
    """Why moves wait, and what the table asks of a seat, as its situation tells."""
    moves = here.table.seats[seat].get(f"{here.table.path}/seats/{seat}/situation").json["moves"]  # type: ignore[index]
    return moves["halted"], moves["asked"]


@pytest.mark.clause("TABLE-DISPUTE-2")
@pytest.mark.parametrize("play_on", [False, True])
def test_a_situation_tells_why_moves_wait_and_where_a_word_is_awaited(play_on: bool) -> None:
    here, about, mover = played(courts={"play_on": play_on})
    assert [asked(here, seat) for seat in range(3)] == [(None, [])] * 3
    claimant, third = (seat for seat in range(3) if seat != mover)
    found = here.open(claimant, about, "other")
    number = found["dispute"]
    for seat in range(3):
        halted, questions = asked(here, seat)
        waits = {"en": "Play goes on only once the dispute is settled.",
                 "de": "Es geht erst weiter, wenn die Anfechtung entschieden ist."}  # fmt: skip
        assert halted == (None if play_on else waits)
        assert [each["path"] for each in questions] == [f"{here.disputes}/{number}/attestations"] * (seat == third)
    (question,) = asked(here, third)[1]
    assert question["until"] == found["until"]
    assert question["about"] == number
    claim = f"Spieler {claimant + 1} ficht an, was Spieler {mover + 1} in Eintrag {about} getan hat."
    assert question["asks"]["de"] == f"{claim} Das könnt nur ihr am Tisch wissen: Ist es so?"
    assert here.table.seats[third].post(question["path"], {"holds": True}).status_code == 201
    (question,) = asked(here, third)[1]
    assert question["path"].endswith("/votes")
    later(here, 200_000)
    assert here.read(number)["stage"] == "ruling"
    assert [asked(here, seat)[1] for seat in range(3)] == [[]] * 3


@pytest.mark.clause("TABLE-REPORT-2")
def test_witnesses_and_consents_are_asked_for_where_a_phone_looks_first(app: Any) -> None:
    table = tables.dice_table(app, courts={"witness": True})
    here = Court(tables.service(table), app, table)  # type: ignore[arg-type]
    tables.played_until(table, tables.asks_for_dice)
    entry = tables.reports(table, tables.rolled(3, 4))
    for seat in range(3):
        halted, questions = asked(here, seat)
        assert str(entry) in halted["en"]
        assert [each["path"] for each in questions] == [f"{table.path}/entries/{entry}/attestations"] * (seat != 0)
        assert all(each["until"] for each in questions)
    assert tables.attests(table, entry, table.seats[2]).status_code == 201
    assert [asked(here, seat) for seat in range(3)] == [(None, [])] * 3

    back: Any = table.seats[0].post(f"{table.path}/takebacks", {"to": entry - 1}, If_Match="*").json
    number = (back.get("takeback") or {}).get("takeback")
    if number is not None and back["takeback"]["stage"] == "asked":
        assert [len(asked(here, seat)[1]) for seat in range(3)] == [0, 1, 1]


def test_the_explanation_of_a_report_names_who_reported_as_the_entry_does() -> None:
    here, entry, _ = report()
    assert entry["actor"] == {"kind": "reporter", "seat": 0}
    explained: Any = here.table.anyone.get(f"{here.table.path}/entries/{entry['version']}/explanation").json
    assert explained["actor"] == entry["actor"]


@pytest.mark.clause("TABLE-REMEDY-2")
def test_the_contract_says_how_a_correction_by_hand_is_written() -> None:
    one = {**CorrectionField().to_json_schema(None), "components": {"schemas": PLAIN_COMPONENTS}}
    good: list[dict[str, Any]] = [
        {"set": "/hearts/1", "to": 1},
        {"move": "?", "from": "hand:0", "to": "discard", "top": True},
        {"turn": 1},
        {"question": "drop"},
        {"placement": [[0], [1, 2]]},
    ]
    for each in good:
        jsonschema.validate(each, one)
    bad: list[dict[str, Any]] = [{"set": "/hearts/1"}, {"turn": "me"}, {"give": "sword"}, {"question": "ask"}, {}]
    here, about, mover = played()
    number = here.open((mover + 1) % 3, about, "other")["dispute"]
    for each in bad:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(each, one)
        wrong = here.ruled(number, remedy="partial_fix", fix=[each])
        problem = house.problem(wrong, 422, "invalid-input")
        assert problem["errors"][0]["pointer"].startswith("/fix/0"), problem
    hearts = here.table.anyone.get(f"{here.table.path}/view").json["table"]["hearts"]  # type: ignore[index]
    done = here.ruled(number, remedy="partial_fix", fix=[{"set": "/hearts/1", "to": hearts[1] - 1}])
    assert done.status_code == 201, done.text
    now: Any = here.table.anyone.get(f"{here.table.path}/view").json
    assert now["table"]["hearts"][1] == hearts[1] - 1


@pytest.mark.clause("TABLE-REMEDY-2")
@pytest.mark.parametrize(
    ("fix", "en", "de"),
    [
        (
            {"move": "axe", "from": "hand:1", "to": "discard"},
            "No such card lies open to you there.",
            "Dort liegt für dich keine solche Karte offen.",
        ),
        (
            {"move": "?", "from": "hand:1", "to": "x"},
            "no such card lies at `hand:1`",
            "liegt keine solche Karte",
        ),
        ({"set": "/hearts/0", "to": "x"}, "", "dieser Wert hat nicht die richtige Form ("),
        ({"set": "/nothing/0", "to": 1}, "the table has no such value", "diesen Wert hat der Tisch nicht"),
        ({"turn": 9}, "there is no such seat", "diesen Platz gibt es nicht"),
    ],
)
def test_what_is_wrong_with_a_correction_is_said_in_the_language_of_the_caller(
    fix: dict[str, Any], en: str, de: str
) -> None:
    here, about, mover = played()
    number = here.open((mover + 1) % 3, about, "other")["dispute"]
    body = {"remedy": "partial_fix", "upheld": True, "reason": "So.", "clauses": ["TABLE-REMEDY-2"], "fix": [fix]}
    version = f'"v{here.table.version}"'
    for lang, said in (("en", en), ("de", de)):
        wrong = here.table.host.post(f"{here.disputes}/{number}/rulings", body, Accept_Language=lang, If_Match=version)
        (error,) = house.problem(wrong, 422, "invalid-input")["errors"]
        assert error.keys() == {"pointer", "detail"}
        assert said in error["detail"], error


def test_who_is_refused_is_told_what_would_do() -> None:
    here, about, mover = played()
    claimant, third = (seat for seat in range(3) if seat != mover)
    number = here.open(claimant, about, "other")["dispute"]
    twice = here.table.seats[third].post(here.disputes, {"about": about, "claim": "other"}, Accept_Language="de")
    again = house.problem(twice, 409, "dispute-open")
    assert again["detail"] == f"Eintrag {about} ist in diesem Punkt schon angefochten: Anfechtung {number}."
    assert here.table.seats[third].post(here.disputes, {"about": about, "claim": "missed_effect"}).status_code == 201
    by_hand = house.problem(here.ruled(number, remedy="partial_fix"), 409, "not-offered")
    assert "`fix`" in by_hand["detail"]
    assert by_hand["ruling"]["clauses"][0]["id"] == "TABLE-REMEDY-2"
    bare = house.problem(here.ruled(number, clauses=[]), 422, "clause-missing")
    assert bare["errors"] == [{"pointer": "/clauses", "detail": "is missing"}]
    low = house.problem(here.says(claimant, number, "appeals", grounds="So."), 422, "clause-missing")
    assert low["errors"][0]["pointer"] == "/clause"
    stranger = house.problem(here.ruled(number, by=here.table.seats[third]), 403, "host-or-arbiter-only")
    assert "arbiter" in stranger["detail"]


@pytest.mark.clause("TABLE-RULING-2")
def test_what_was_voided_by_vote_is_open_to_appeal_and_to_the_last_word_of_that_dispute() -> None:
    here, about, mover = played()  # whoever draws a card at the end of it has seen one, so nothing milder is offered
    number = here.open((mover + 1) % 3, about, "other")["dispute"]
    here.attested(number)
    assert here.voted(number, "void")["rulings"][-1]["remedy"] == "void"
    assert {"appeals", "rulings"} == {each["step"] for each in here.read(number)["steps"]}
    assert here.ruled(number, remedy="restore", upheld=False).status_code == 201
    assert {"rulings"} == {each["step"] for each in here.read(number)["steps"]}


@pytest.mark.clause("TABLE-DISPUTE-3")
def test_where_one_phone_speaks_for_all_a_dispute_waits_for_no_testimony(app: Any) -> None:
    table = house.opened(app, chairs=[{"kind": "table"}] * 3, chance={"deck": "table"})
    for _ in range(40):
        who = table.awaited[0]
        legal = table.moves(who, table.host)["legal"]
        made: Any = table.move(who, legal[0]["move"], table.host)
        assert made.status_code == 201, made.text
        if made.json["entry"]["seat"] != "chance":
            break
    about = made.json["entry"]["version"]
    opened: Any = table.host.post(f"{table.path}/disputes", {"about": about, "claim": "other"}).json["dispute"]
    assert (opened["stage"], opened["court"]) == ("ruling", "arbiter")
    assert [(each["step"], each["by"]) for each in opened["steps"]] == [
        ("rulings", ["host"]), ("withdrawal", ["host"]),
    ]  # fmt: skip
    said = {"upheld": True, "remedy": "rewind", "clauses": ["TABLE-RULING-4"], "reason": "We all saw it."}
    path = f"{table.path}/disputes/{opened['dispute']}/rulings"
    assert table.host.post(path, said, If_Match="*").status_code == 201
    assert table.awaited

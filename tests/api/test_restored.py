"""What the table has carried out is undone by the arbiter, over HTTP: the ladder, the course, the stream, the log."""

from __future__ import annotations

from typing import Any

import pytest

from referee.arbitration.replay.replay import find_first_divergence
from tests.api.disputing import Court, court
from tests.api.house import problem, seen_as

RESTORED = {"upheld": False, "remedy": "restore", "clauses": ["TABLE-REMEDY-5"], "reason": "It was right."}


def table(here: Court, path: str, seat: int | None = None) -> Any:
    """What onlookers read, or a seat."""
    who = here.table.anyone if seat is None else here.table.seats[seat]
    found = who.get(seen_as(f"{here.table.path}/{path}", seat))
    assert found.status_code == 200, found.text
    return found.json


def carried(remedy: str, game: str = "here_to_slay") -> tuple[Court, int, dict[str, Any]]:
    """A match in which the table has voted for this remedy: the dispute, and the view that stood before it."""
    for moves in range(2, 12):
        here = court(game, seats=3)
        here.play(moves)
        entries = [each for each in table(here, "entries?limit=200")["items"] if isinstance(each["seat"], int)]
        about = entries[-1 if remedy == "rewind" else 0]["version"]
        number = here.open(entries[-1]["seat"], about, "other")["dispute"]
        found = here.attested(number)
        offered = {rung["remedy"] for rung in found["remedies"] if rung["offered"]}
        if remedy in offered:
            before = table(here, "view")
            here.voted(number, remedy)
            return here, number, before
    pytest.fail("no such remedy was offered")


def laid(view: Any) -> Any:
    """A table without what is to be shuffled on it."""
    kept = [step for step in view["table"]["agenda"] if step["type"] != "Shuffle"]
    return {**view["table"], "agenda": kept}


@pytest.mark.clause("TABLE-REMEDY-5")
def test_after_a_vote_to_go_back_the_arbiter_restores_what_stood_and_both_courses_are_read() -> None:
    here, number, before = carried("rewind")
    back = table(here, "timeline")["stretches"][-2]
    assert back["state"] == "superseded"
    undone = table(here, "view")["version"]
    here.play(2)
    rungs = {each["remedy"]: each for each in here.read(number)["remedies"]}
    assert list(rungs) == ["leave", "restore", "partial_fix", "rewind", "void"]
    assert not rungs["restore"]["mild"]
    assert rungs["restore"]["keeps"] == list(range(back["from"], back["to"] + 1))
    assert min(rungs["restore"]["drops"]) > undone - 1
    shown = here.table.anyone.get(f"{here.disputes}/{number}/remedies/restore")
    assert (shown.status_code, laid(shown.json["view"])) == (200, laid(before))  # type: ignore[index]
    problem(here.says(0, number, "votes", remedy="restore"), 409, "closed")
    ruled = here.ruled(number, **RESTORED)
    assert ruled.status_code == 201, ruled.text
    kinds = [event["type"] for event in ruled.json["entry"]["events"]]
    assert kinds[:2] == ["table.RulingIssued", "table.Restored"]
    at = ruled.json["entry"]["version"]
    assert laid(table(here, f"view?version={at}")) == laid(before)
    again = next(each for each in table(here, "timeline")["stretches"] if each["restored"])
    assert (again["from"], again["to"], again["restored"]) == (back["from"], back["to"], at)
    assert table(here, f"view?version={undone}")["version"] == undone
    assert [each["step"] for each in here.read(number)["steps"]] == ["rulings"], "an official may undo this, too"
    here.play(2)
    assert find_first_divergence(here.service.repository.load_entries(here.table.match)) is None
    told = table(here, f"entries/{at}/explanation")["sentence"]
    assert "stands again" in told["en"]
    assert "steht wieder" in told["de"]
    assert "by an official" in told["en"]
    reshuffled = "Opened" in [event["type"] for event in table(here, f"entries/{at}")["events"]]
    assert ("shuffled again" in told["en"], "neu gemischt" in told["de"]) == (True, True)
    assert reshuffled


@pytest.mark.clause("TABLE-REMEDY-4")
@pytest.mark.clause("TABLE-REMEDY-5")
def test_a_match_that_the_table_voided_is_played_on_once_an_appeal_has_restored_it() -> None:
    here, number, before = carried("void", "monster_combat")
    assert table(here, "view")["status"] == "void"
    assert {each["step"] for each in here.read(number)["steps"]} == {"appeals", "rulings"}
    said = here.says(here.read(number)["decide"][0], number, "appeals", grounds="Too hard.", clause="TABLE-REMEDY-1")
    assert said.status_code == 201, said.text
    assert here.table.anyone.get(here.table.path).json["status"] == "disputed"  # type: ignore[index]
    refused = problem(here.ruled(number), 409, "not-offered")
    assert [each["id"] for each in refused["ruling"]["clauses"]] == ["TABLE-REMEDY-1"]
    ruled = here.ruled(number, **RESTORED)
    assert ruled.status_code == 201, ruled.text
    assert ruled.json["entry"]["events"][-1]["type"] == "table.ChanceRenewed"
    after = table(here, f"view?version={ruled.json['entry']['version']}")
    assert (after["status"], after["outcome"], laid(after)) == ("running", None, laid(before))
    problem(here.table.seats[0].get(f"{here.table.path}/view?viewer=full"), 409, "still-running")
    assert here.play(2) == 2
    assert find_first_divergence(here.service.repository.load_entries(here.table.match)) is None


@pytest.mark.clause("TABLE-REMEDY-5")
def test_an_official_thinks_better_of_a_last_word_in_time() -> None:
    here, number, _ = carried("void", "monster_combat")
    left = here.ruled(number, **{**RESTORED, "upheld": True, "remedy": "leave"})
    assert left.status_code == 201, left.text
    assert table(here, "view")["status"] == "void"
    found = here.read(number)
    assert found["now"]["en"] == (
        "It is settled: it stays as it was ruled before. For 15 minutes after the ruling the host may still undo it."
    )
    assert found["now"]["de"] == (
        "Das ist entschieden: Es bleibt bei dem, was vorher entschieden war. "
        "Innerhalb von 15 Minuten nach dem Spruch kann der Gastgeber ihn noch aufheben."
    )
    (again,) = found["steps"]
    assert (again["step"], again["by"], again["until"]) == ("rulings", ["host"], found["undo_until"])
    assert found["undo_until"] > found["rulings"][-1]["at"]
    undone = here.ruled(number, **RESTORED)
    assert undone.status_code == 201
    assert table(here, "view")["status"] == "running"
    entry = f"entries/{undone.json['entry']['version']}"
    told = table(here, f"{entry}/explanation")["sentence"]
    reshuffled = "Opened" in [event["type"] for event in table(here, entry)["events"]]
    assert ("shuffled again" in told["en"]) == reshuffled


@pytest.mark.clause("TABLE-DISPUTE-6")
def test_a_die_that_shows_seven_is_refused_with_its_place_and_the_clauses_and_uses_up_no_key() -> None:
    here = court("here_to_slay", {"dice": "table", "deck": "server"}, seats=4)
    for _ in range(200):
        seat, move = here.following() or (0, None)
        assert move is not None
        made = here.makes(seat, move)
        if seat == -1 and made.json["entry"]["move"].get("values"):
            break
    about, dice = made.json["entry"]["version"], made.json["entry"]["move"]["values"]
    wrong = {"type": "chance.rolled", "values": [7] * len(dice)}
    body = {"about": about, "claim": "misreported", "move": wrong}
    refused = here.table.seats[1].post(here.disputes, body, Idempotency_Key="a" * 16)
    told = problem(refused, 422, "correction-impossible")
    assert told["errors"][0]["pointer"] == "/move"
    assert "6" in told["errors"][0]["detail"]
    assert [each["id"] for each in told["ruling"]["clauses"]] == ["TABLE-DISPUTE-6", "KERNEL-CHANCE-1"]
    right = {**body, "move": {**wrong, "values": [7 - die for die in dice]}}
    assert here.table.seats[1].post(here.disputes, right, Idempotency_Key="a" * 16).status_code == 201
    number = table(here, "disputes")["items"][-1]["dispute"]
    seat = here.read(number)["asks"][0]
    told = problem(here.says(seat, number, "attestations", holds=True, saw=[9]), 422, "correction-impossible")
    assert told["errors"][0]["pointer"] == "/saw"


@pytest.mark.clause("TABLE-DISPUTE-9")
def test_an_open_proposal_is_previewed_by_its_number() -> None:
    here = court("monster_combat", seats=3)
    here.play(3)
    entry = [each for each in table(here, "entries?limit=200")["items"] if isinstance(each["seat"], int)][-1]
    number = here.open((entry["seat"] + 1) % 3, entry["version"], "other")["dispute"]
    here.attested(number)
    hearts = table(here, "view")["table"]["hearts"]
    said = here.says(0, number, "votes", remedy="partial_fix", fix=[{"set": "/hearts/1", "to": hearts[1] - 1}])
    assert said.status_code == 201, said.text
    (proposal,) = [each["proposal"] for each in here.read(number)["votes"]]
    for seat in (None, 0, 2):
        shown = table(here, f"disputes/{number}/remedies/partial_fix?proposal={proposal}", seat)
        assert (shown["hides"], shown["view"]["table"]["hearts"][1]) == (False, hearts[1] - 1)
        assert [each["hearts"] for each in shown["board"]["seats"]][1] == hearts[1] - 1
        assert shown["why"]["en"] == "The table is corrected by hand, as proposed."
    path = f"{here.disputes}/{number}/remedies"
    problem(here.table.anyone.get(f"{path}/partial_fix?proposal={proposal + 5}"), 409, "no-such-proposal")
    problem(here.table.anyone.get(f"{path}/rewind?proposal={proposal}"), 409, "no-such-proposal")
    problem(here.table.anyone.get(f"{path}/partial_fix?proposal=x"), 422, "invalid-input")

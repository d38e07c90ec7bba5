"""A slip is corrected with one tap or two, until the end of the turn."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from tests.api import house, tables
from tests.api.house import Table
from tests.api.test_silence import declares, is_flawless
from tests.evenings import here_to_slay

MINUTE_MS = 60_000


@pytest.fixture
def table(app: Flask) -> Table:
    """Seat 2 has played a hero and rolls for it."""
    found = here_to_slay.sit_down(app, clocks=here_to_slay.AT_ONCE)
    made = found.move(2, {"type": "hts.play", "card": "peanut"}, reports=[{"nobody_reacts": True}])
    assert made.status_code == 201, made.text
    assert found.move(2, {"type": "choose.accept"}).status_code == 201
    return found


def pips_of_the_roll(table: Table) -> list[int]:
    entries: Any = table.host.get(f"{table.path}/entries?limit=200").json
    rolls = [each["move"]["values"] for each in entries["items"] if (each["move"] or {}).get("type") == "chance.rolled"]
    return list(rolls[-1])


@pytest.mark.clause("TABLE-TAP-4")
def test_a_slip_is_corrected_at_once_while_nobody_has_learned_anything_by_it(table: Table) -> None:
    entry = tables.reports(table, tables.rolled(3, 3))
    assert declares(table, table.seats[0]).status_code == 201  # it needs 7, so nothing comes of it
    tables.later(table, 5 * MINUTE_MS)
    corrected = tables.corrects(table, entry, tables.rolled(3, 2), table.seats[0])
    assert corrected.status_code == 201, corrected.text
    assert [event["type"] for event in corrected.json["entry"]["events"]][:2] == [
        "table.ReportCorrected",
        "table.Rewound",
    ]
    assert sorted(table.awaited) == [0, 1, 2]  # the window is open again
    assert declares(table, table.seats[0]).status_code == 201
    assert is_flawless(table)
    assert pips_of_the_roll(table) == [3, 2]


@pytest.mark.clause("TABLE-TAP-4")
def test_what_another_seat_has_built_upon_takes_its_word(table: Table) -> None:
    entry = tables.reports(table, tables.rolled(3, 3))
    played = {"type": "hts.modify", "card": "modifier_plus_4", "value": 4, "roller": 2}
    assert table.move(1, played).status_code == 201
    tables.later(table, MINUTE_MS)
    asked = tables.corrects(table, entry, tables.rolled(4, 4), table.seats[0])
    assert asked.status_code == 201, asked.text
    (event,) = asked.json["entry"]["events"]
    assert (event["type"], event["asks"]) == ("table.SlipAdmitted", [1, 2])
    house.problem(tables.corrects(table, entry, tables.rolled(4, 4), table.seats[0]), 409, "slip-open")
    (question,) = table.moves(1)["asked"]
    assert table.moves(0)["asked"] == []
    before = table.version
    own = table.seats[0].post(question["path"], {"grant": True})
    house.problem(own, 409, "own-report")
    assert table.version == before
    confirmed = table.seats[1].post(question["path"], {"grant": True})
    assert confirmed.status_code == 201, confirmed.text
    assert sorted(table.awaited) == [0, 1, 2]
    assert "modifier_plus_4" not in str(table.host.get(f"{table.path}/view").json["table"]["zones"])  # type: ignore[index]
    again = table.seats[2].post(question["path"], {"grant": True})
    house.problem(again, 409, "slip-closed")
    assert is_flawless(table)


@pytest.mark.clause("TABLE-TAP-4")
def test_once_cards_were_drawn_by_it_another_seat_has_to_confirm(table: Table) -> None:
    entry = tables.reports(table, tables.rolled(3, 4))
    assert declares(table, table.seats[0]).status_code == 201  # it needs 7: two cards are drawn, and seen
    tables.later(table, MINUTE_MS)
    asked = tables.corrects(table, entry, tables.rolled(3, 3), table.seats[0])
    assert [event["type"] for event in asked.json["entry"]["events"]] == ["table.SlipAdmitted"]
    (question,) = table.moves(1)["asked"]
    assert table.seats[1].post(question["path"], {"grant": True}).status_code == 201
    view: Any = table.host.get(f"{table.path}/view").json
    assert len(view["table"]["zones"]["hand:2"]) == 4  # the two that were drawn lie in the deck again
    assert sorted(table.awaited) == [0, 1, 2]
    assert is_flawless(table)


@pytest.mark.clause("TABLE-TAP-4")
def test_after_a_denial_the_admission_is_testimony_in_the_dispute(table: Table) -> None:
    entry = tables.reports(table, tables.rolled(3, 3))
    assert table.move(1, {"type": "hts.pass"}).status_code == 201
    tables.later(table, MINUTE_MS)
    asked = tables.corrects(table, entry, tables.rolled(4, 4), table.seats[0])
    assert asked.status_code == 201, asked.text
    (question,) = table.moves(2)["asked"]
    assert table.seats[2].post(question["path"], {"grant": False}).status_code == 201
    assert is_flawless(table)
    body = {"about": entry, "claim": "misreported", "move": tables.rolled(4, 4)}
    opened: Any = table.seats[1].post(f"{table.path}/disputes", body, If_Match="*")
    assert opened.status_code == 201, opened.text
    types = [event["type"] for event in opened.json["entry"]["events"]]
    assert "table.Attested" in types
    assert is_flawless(table)


@pytest.mark.clause("TABLE-TAP-4")
def test_after_the_turn_it_takes_a_dispute(table: Table) -> None:
    entry = tables.reports(table, tables.rolled(1, 1))
    assert declares(table, table.seats[0]).status_code == 201
    for _ in range(2):
        assert table.move(2, {"type": "hts.draw"}).status_code == 201
    assert table.awaited == [0]
    tables.later(table, MINUTE_MS)
    before = table.version
    house.problem(tables.corrects(table, entry, tables.rolled(4, 4), table.seats[0]), 409, "out-of-time")
    house.problem(tables.corrects(table, entry, tables.rolled(4, 4), table.seats[1]), 409, "not-your-report")
    unknown = table.seats[1].post(f"{table.path}/corrections/{before}/consents", {"grant": True})
    house.problem(unknown, 404, "no-such-slip")
    assert table.version == before


@pytest.mark.clause("TABLE-TAP-4")
def test_a_report_is_taken_back_without_another_one(table: Table) -> None:
    entry = tables.reports(table, tables.rolled(3, 3))
    tables.later(table, MINUTE_MS)
    path = f"{table.path}/entries/{entry}/corrections"
    house.problem(table.seats[1].post(path, {}), 409, "not-your-report")
    taken: Any = table.seats[0].post(path, {})
    assert taken.status_code == 201, taken.text
    assert [event["type"] for event in taken.json["entry"]["events"]] == ["table.ReportRetracted", "table.Rewound"]
    assert table.awaited == ["chance"]
    assert is_flawless(table)
    second = tables.reports(table, tables.rolled(5, 5))
    house.problem(table.seats[0].post(f"{table.path}/entries/{second}/corrections", {}), 409, "corrected-already")
    assert table.move(1, {"type": "hts.pass"}).status_code == 201
    late = table.seats[0].post(f"{table.path}/entries/{second}/corrections", {})
    house.problem(late, 409, "corrected-already")


@pytest.mark.clause("TABLE-TAP-4")
def test_what_two_have_agreed_on_can_be_disputed_by_a_third(table: Table) -> None:
    entry = tables.reports(table, tables.rolled(1, 1))
    first: Any = tables.corrects(table, entry, tables.rolled(2, 2), table.seats[0]).json
    asked: Any = tables.corrects(table, first["entry"]["version"], tables.rolled(6, 6), table.seats[0]).json
    slip = asked["entry"]["version"]
    agreed: Any = table.seats[1].post(f"{table.path}/corrections/{slip}/consents", {"grant": True}).json
    body = {"about": agreed["entry"]["version"], "claim": "other", "statement": "It was a two."}
    opened: Any = table.seats[2].post(f"{table.path}/disputes", body, If_Match="*")
    assert opened.status_code == 201, opened.text
    assert opened.json["dispute"]["parties"] == [0, 1, 2], "who admitted it and who agreed decide nothing alone"


def list_asked(table: Table, seat: int) -> list[str]:
    """Where the questions to a seat are answered, below the address of the match."""
    return [each["path"].removeprefix(f"{table.path}/") for each in table.moves(seat)["asked"]]


@pytest.fixture
def asking(table: Table) -> Table:
    """Seat 0 has admitted a slip, and the others are asked."""
    entry = tables.reports(table, tables.rolled(3, 3))
    played = {"type": "hts.modify", "card": "modifier_plus_4", "value": 4, "roller": 2}
    assert table.move(1, played).status_code == 201
    tables.later(table, MINUTE_MS)
    assert tables.corrects(table, entry, tables.rolled(4, 4), table.seats[0]).status_code == 201
    assert list_asked(table, 1) == list_asked(table, 2) == [f"corrections/{table.version}/consents"]
    return table


@pytest.mark.clause("TABLE-TAP-4")
def test_nobody_is_asked_about_a_slip_after_the_turn(asking: Table) -> None:
    (path,) = list_asked(asking, 1)
    assert declares(asking, asking.seats[0]).status_code == 201
    for _ in range(2):
        assert list_asked(asking, 1) == [path]
        assert asking.move(2, {"type": "hts.draw"}).status_code == 201
    assert asking.awaited == [0]
    assert list_asked(asking, 1) == list_asked(asking, 2) == []
    house.problem(asking.seats[1].post(f"{asking.path}/{path}", {"grant": True}), 409, "slip-overtaken")
    assert is_flawless(asking)


@pytest.mark.clause("TABLE-TAP-4")
def test_nobody_is_asked_about_a_slip_once_its_report_counts_no_more(asking: Table) -> None:
    (path,) = list_asked(asking, 1)
    before_the_roll = int(path.split("/")[1]) - 3
    back: Any = asking.seats[2].post(f"{asking.path}/takebacks", {"to": before_the_roll - 1}, If_Match="*")
    assert back.status_code == 201, back.text
    for seat in (0, 1):
        consent = f"{asking.path}/takebacks/{back.json['version']}/consents"
        assert asking.seats[seat].post(consent, {"seat": seat, "grant": True}).status_code == 201
    assert asking.moves(2)["question"]["name"] == "hts.FreeRoll"
    assert list_asked(asking, 1) == list_asked(asking, 2) == []
    house.problem(asking.seats[1].post(f"{asking.path}/{path}", {"grant": True}), 409, "slip-overtaken")
    assert is_flawless(asking)


@pytest.mark.clause("TABLE-DISPUTE-2")
def test_nobody_is_asked_about_play_while_it_waits_for_a_court(app: Flask) -> None:
    table = here_to_slay.sit_down(app, clocks={"objection_ms": MINUTE_MS})
    assert table.move(2, {"type": "hts.play", "card": "peanut"}, reports=[{"nobody_reacts": True}]).status_code == 201
    back = table.seats[2].post(f"{table.path}/takebacks", {"to": table.version - 2}, If_Match="*")
    assert back.status_code == 201, back.text
    objection, consent = list_asked(table, 1)
    assert (objection.split("/")[-1], consent.split("/")[-1]) == ("objections", "consents")
    body = {"about": table.version - 2, "claim": "wrong_count"}
    opened: Any = table.seats[0].post(f"{table.path}/disputes", body)
    assert opened.status_code == 201, opened.text
    dispute = f"disputes/{opened.json['version']}"
    assert list_asked(table, 1) == [f"{dispute}/attestations"]
    house.problem(table.seats[1].post(f"{table.path}/{objection}", {}), 409, "in-dispute")
    house.problem(table.seats[1].post(f"{table.path}/{consent}", {"seat": 1, "grant": True}), 409, "in-dispute")
    assert table.seats[0].post(f"{table.path}/{dispute}/withdrawal").status_code == 201
    assert list_asked(table, 1) == [objection, consent]

"""Moves against the rules that nobody noticed: recorded as having happened, by consent of the table."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from referee.arbitration.replay.replay import find_first_divergence
from referee.games.monster_combat.rules.attacks import PendingAttack
from tests.api import house
from tests.api.house import Person, Table, problem
from tests.api.tables import card_table, dice_table, played_until, service, stands

PARRIED = {"type": "mc.parry", "card": "sword"}
BY_A_SWORD = {"seat": 0, "move": PARRIED, "clauses": ["MC-SHIELD-1"], "reason": "We noticed a round later."}


def struck(table: Table) -> None:
    """Plays on until seat 0 is struck, and may hold a plain sword for all that the referee knows."""
    played_until(table, lambda state: is_struck(state) and bool({"?", "sword"} & set(state.cards_in_hand(0))))


def is_struck(state: Any) -> bool:
    top = state.agenda[-1] if state.agenda else None
    return isinstance(top, PendingAttack) and top.seat == 0


def deviates(table: Table, by: Person, **body: Any) -> Any:
    return by.post(f"{table.path}/deviations", {**BY_A_SWORD, **body}, If_Match=f'"v{table.version}"')


def answers(table: Table, seat: int, number: int, grant: bool = True) -> Any:
    return table.seats[seat].post(f"{table.path}/deviations/{number}/consents", {"grant": grant})


def arbiter(table: Table) -> Person:
    return table.arbiter()


def hand(table: Table, seat: int) -> tuple[str, ...]:
    state: Any = stands(table).state
    found: tuple[str, ...] = state.cards_in_hand(seat)
    return found


@pytest.mark.clause("TABLE-DEVIATION-1", "TABLE-DEVIATION-2")
def test_what_all_agree_to_has_happened_against_the_rules(app: Flask) -> None:
    table = card_table(app)
    struck(table)
    cards = len(hand(table, 0))
    asked = deviates(table, table.host)
    assert asked.status_code == 201, asked.text
    number = asked.json["deviation"]["deviation"]
    assert asked.headers["Location"] == f"{table.path}/deviations/{number}"
    assert (asked.json["deviation"]["stage"], asked.json["deviation"]["asks"]) == ("asked", [0, 1])
    assert table.host.get(table.path).json["deviations"] == [number]  # type: ignore[index]
    assert table.awaited == [0]
    first = answers(table, 0, number)
    assert (first.json["deviation"]["asks"], len(hand(table, 0))) == ([1], cards)
    done = answers(table, 1, number)
    assert done.status_code == 201, done.text
    assert done.json["deviation"]["stage"] == "recorded"
    kinds = [each["type"] for each in done.json["entry"]["events"]]
    assert kinds[:2] == ["table.DeviationGranted", "table.Deviated"]
    assert len(kinds) > 2
    deviated = done.json["entry"]["events"][1]
    assert (deviated["cites"], deviated["reason"]) == (["MC-SHIELD-1"], "We noticed a round later.")
    assert "MC-SHIELD-1" in deviated["against"]
    assert "TABLE-DEVIATION-1" in done.json["entry"]["clauses"]
    assert len(hand(table, 0)) == cards - 1
    listed: Any = table.seats[1].get(f"{table.path}/deviations").json
    assert [(each["deviation"], each["move"]["move"]) for each in listed["items"]] == [(number, PARRIED)]
    assert table.awaited
    problem(answers(table, 1, number), 409, "closed")
    assert find_first_divergence(service(table).repository.load_entries(table.match)) is None


def test_one_refusal_ends_it_and_so_does_play_that_goes_on(app: Flask) -> None:
    table = card_table(app)
    struck(table)
    before = stands(table).state
    number = deviates(table, table.host).json["deviation"]["deviation"]
    refused = answers(table, 1, number, grant=False)
    assert refused.json["deviation"]["stage"] == "refused"
    problem(answers(table, 0, number), 409, "closed")
    assert stands(table).state == before
    second = deviates(table, table.host).json["deviation"]["deviation"]
    assert answers(table, 0, second).status_code == 201
    legal = [each["move"] for each in table.moves(0)["legal"] if each["move"]["type"] != "mc.concede"]
    assert table.move(0, legal[0]).status_code == 201
    problem(answers(table, 1, second), 409, "overtaken")
    found: Any = table.host.get(f"{table.path}/deviations/{second}").json
    assert (found["stage"], found["asks"]) == ("overtaken", [])
    problem(table.host.get(f"{table.path}/deviations/1"), 404, "no-such-deviation")
    problem(answers(table, 0, 1), 404, "no-such-deviation")
    assert find_first_divergence(service(table).repository.load_entries(table.match)) is None


def test_what_the_rules_allow_is_no_deviation(app: Flask) -> None:
    table = card_table(app)
    struck(table)
    version = table.version
    refused = problem(deviates(table, table.host, move={"type": "mc.take_it"}), 409, "move-legal")
    assert [each["id"] for each in refused["ruling"]["clauses"]] == ["TABLE-DEVIATION-1"]
    missing = problem(deviates(table, table.host, clauses=[]), 422, "clause-missing")
    assert "a deviation the clause that it breaks" in missing["detail"]
    problem(deviates(table, table.host, clauses=["MC-NO-SUCH"]), 422, "invalid-input")
    problem(deviates(table, table.host, move={"type": "hts.draw"}), 422, "invalid-input")
    problem(deviates(table, table.host, seat=7), 422, "invalid-input")
    problem(deviates(table, table.seats[0]), 403, "host-or-arbiter-only")
    assert table.version == version


@pytest.mark.clause("TABLE-DEVIATION-2")
def test_an_arbiter_without_a_seat_asks_nobody(app: Flask) -> None:
    table = card_table(app)
    struck(table)
    done = deviates(table, arbiter(table))
    assert done.status_code == 201, done.text
    assert (done.json["deviation"]["stage"], done.json["deviation"]["by"]) == ("recorded", "arbiter")
    assert find_first_divergence(service(table).repository.load_entries(table.match)) is None


def test_a_host_who_holds_the_only_seat_of_a_person_asks_nobody(app: Flask) -> None:
    chairs = [{"kind": "human"}, {"kind": "table"}]
    table = card_table(app, chairs=chairs, start=False, join=False)
    joined = table.host.post("/v1/join", {"code": table.codes[0]})
    assert joined.status_code == 201
    table = Table(table.match, table.anyone, table.host, (table.host, table.host), table.codes)
    assert table.host.post(f"{table.path}/start", If_Match=f'"v{table.version}"').status_code == 201
    struck(table)
    done = deviates(table, table.host)
    assert done.status_code == 201, done.text
    assert (done.json["deviation"]["stage"], done.json["deviation"]["granted"]) == ("recorded", [0])


@pytest.mark.clause("TABLE-DEVIATION-3")
def test_what_the_open_question_cannot_tell_is_put_right_by_hand(app: Flask) -> None:
    table = card_table(app)
    struck(table)
    referee, version = arbiter(table), table.version
    played = {"type": "mc.play", "card": "shield"}
    problem(deviates(table, referee, move=played, clauses=["MC-SHIELD-2"]), 409, "position-impossible")
    out_of_turn = problem(deviates(table, referee, seat=1, clauses=["MC-TURN-1"]), 409, "position-impossible")
    assert [each["id"] for each in out_of_turn["ruling"]["clauses"]] == ["TABLE-DEVIATION-3"]
    assert "fix" in out_of_turn["detail"]
    problem(deviates(table, referee, move={"type": "mc.parry", "card": "no_such"}), 409, "position-impossible")
    problem(deviates(table, referee, seat=1, fix=[{"fly": 1}]), 422, "invalid-input")
    assert table.version == version
    done = deviates(table, referee, seat=1, clauses=["MC-TURN-1"], fix=[{"turn": 1}])
    assert done.status_code == 201, done.text
    kinds = [each["type"] for each in done.json["entry"]["events"]]
    assert kinds[:3] == ["table.DeviationAsked", "table.Deviated", "table.Corrected"]
    state: Any = stands(table).state
    assert state.turn == 1
    assert find_first_divergence(service(table).repository.load_entries(table.match)) is None


@pytest.mark.clause("TABLE-DEVIATION-2")
def test_everybody_who_is_asked_sees_which_cards_a_correction_moves(app: Flask) -> None:
    table = house.opened(app, "monster_combat", 3)
    played_until(table, lambda state: bool(state.cards_at("discard")))
    state: Any = stands(table).state
    fix = [{"move": state.cards_at("discard")[0], "from": "discard", "to": "hand:2"}]
    out = next(seat for seat in range(3) if seat not in table.awaited)
    body = {"seat": out, "move": {"type": "mc.pass"}, "clauses": ["MC-TURN-1"], "fix": fix}
    asked = deviates(table, table.host, **body)
    assert asked.status_code == 201, asked.text
    number = asked.json["deviation"]["deviation"]
    for who in (table.host, *table.seats):
        shown: Any = who.get(f"{table.path}/deviations/{number}").json
        assert shown["fix"] == fix
    for seat, who in enumerate(table.seats):
        entry: Any = who.get(f"{table.path}/entries/{number}?viewer=seat:{seat}").json
        assert entry["events"][0]["fix"] == fix


def test_a_deviation_is_undone_when_play_goes_back_and_stays_readable(app: Flask) -> None:
    table = card_table(app)
    struck(table)
    before = stands(table).state
    referee = arbiter(table)
    entry = deviates(table, referee).json["entry"]["version"]
    claim = table.seats[1].post(f"{table.path}/disputes", {"about": entry, "claim": "illegal_move"})
    assert claim.status_code == 201, claim.text
    found: Any = table.seats[1].get(f"{table.path}/disputes/{claim.json['entry']['version']}").json  # type: ignore[index]
    assert found["rulings"][0]["verdict"] == "stands"
    assert [each["id"] for each in found["rulings"][0]["clauses"]] == ["TABLE-DEVIATION-1"]
    body = {"upheld": True, "remedy": "rewind", "clauses": ["TABLE-RULING-4"], "reason": "Played on in error."}
    ruled = referee.post(
        f"{table.path}/disputes/{found['dispute']}/rulings", body, If_Match=f'"v{table.version}"'
    )  # fmt: skip
    assert ruled.status_code == 201, ruled.text
    assert stands(table).state == before
    told: Any = table.seats[1].get(f"{table.path}/entries/{entry}").json
    assert "table.Deviated" in [each["type"] for each in told["events"]]
    after: Any = table.host.get(f"{table.path}/deviations/{entry}").json
    assert (after["stage"], after["move"]["move"]["card"]) == ("overtaken", "sword")


def test_no_answer_tells_whoever_asks_what_lies_in_a_hand(app: Flask) -> None:
    """Where the server deals, a card that is named out of a hand is answered alike whether or not it is there."""
    table = house.opened(app)
    played_until(table, lambda state: is_struck(state) and bool(state.cards_in_hand(0)), seed=4)
    state: Any = stands(table).state
    held, names = set(hand(table, 0)), sorted({*hand(table, 0), *hand(table, 1), *state.zones["deck:"]})
    assert held
    assert set(names) - held
    for asker, asks in ((table.host, [0, 1]), (arbiter(table), [0])):
        for name in (*held, *(set(names) - held)):
            if name.startswith("shield"):
                continue  # as far as everybody can see it parries
            answer = deviates(table, asker, move={"type": "mc.parry", "card": name})
            assert (answer.status_code, answer.json["deviation"]["asks"]) == (201, asks), (name, answer.text)
    assert find_first_divergence(service(table).repository.load_entries(table.match)) is None


def holds(state: Any) -> bool:
    return "sword" in state.cards_in_hand(0)


@pytest.mark.parametrize("held", [True, False])
def test_an_arbiter_asks_the_seat_whose_hidden_card_he_names(app: Flask, held: bool) -> None:
    table = house.opened(app)

    played_until(
        table, lambda state: is_struck(state) and bool(state.cards_in_hand(0)) and holds(state) == held, seed=4
    )
    made = deviates(table, arbiter(table))
    assert made.status_code == 201, made.text
    number, told = made.json["deviation"]["deviation"], made.json["deviation"]
    assert (told["stage"], told["asks"]) == ("asked", [0])
    agreed = answers(table, 0, number)
    if held:
        assert agreed.json["deviation"]["stage"] == "recorded"
        assert not is_struck(stands(table).state)
    else:
        problem(agreed, 409, "position-impossible")
        assert stands(table).deviations[-1].stage == "asked"


def test_dice_games_take_deviations_too(app: Flask) -> None:
    table = dice_table(app)
    played_until(table, lambda state: bool(near(table)), most=80)
    seat, move, clauses = near(table)[0]
    done = deviates(table, arbiter(table), seat=seat, move=move, clauses=clauses)
    assert done.status_code == 201, done.text
    assert done.json["deviation"]["stage"] == "recorded"
    assert find_first_divergence(service(table).repository.load_entries(table.match)) is None


def near(table: Table) -> list[tuple[int, Any, list[str]]]:
    """Attacks that a seat may think of and the rules refuse, which name nothing hidden."""
    seats = [seat for seat in table.awaited if seat != "chance"]
    found = [(seat, table.seats[seat].get(f"{table.path}/seats/{seat}/moves?near=20").json["near"]) for seat in seats]  # type: ignore[index]
    return [
        (seat, each["move"], [clause["id"] for clause in each["ruling"]["clauses"]])
        for seat, misses in found
        for each in misses
        if each["move"]["type"] == "hts.attack" and "points" not in str(each["ruling"]["clauses"])
    ]


def test_while_a_witness_is_awaited_no_deviation_is_recorded(app: Flask) -> None:
    table = dice_table(app, courts={"witness": True})
    played_until(table, lambda state: table.awaited == ["chance"])
    made: Any = table.move("chance", table.moves("chance", table.seats[0])["legal"][0]["move"], table.seats[0])
    assert made.status_code == 201
    body = {"move": {"type": "hts.draw"}, "clauses": ["HTS-ACT-8"]}
    problem(deviates(table, table.host, **body), 409, "witness-awaited")

"""Lists come in pages: each item once, whatever the page size, and a link leads to the next page."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask import Flask

from api.http.schemas.paging import next_link_header, take_numbered_page, take_page
from api.openapi.examples import REQUEST_EXAMPLES
from tests.api import house
from tests.api.house import Person, problem, publish

NDJSON = "application/x-ndjson"
TOKEN = "rfs_" + "o" * 43
BOOK = REQUEST_EXAMPLES["publishBook"]["one_card"]["value"]


def read_pages(person: Person, path: str) -> list[list[Any]]:
    """Follow the links; the pages' items."""
    pages: list[list[Any]] = []
    while path:
        answer = person.get(path)
        assert answer.status_code == 200, answer.text
        body: Any = answer.json
        path = answer.headers.get("Link", "").partition("<")[2].partition(">")[0]
        assert (body["next_cursor"] is None) == (not path)
        pages.append(body["items"])
    return pages


@pytest.mark.parametrize("limit", [1, 2, 3, 5])
def test_pages_are_parts_of_the_list(limit: int) -> None:
    items = [30, 4, 17, 9, 22]
    numbered: list[int] = []
    after: int | None = 0
    while after is not None:
        page, after = take_numbered_page(items, after, limit, int)
        assert 0 < len(page) <= limit
        numbered += page
    assert numbered == sorted(items)
    placed: list[int] = []
    place, is_last = None, False
    while not is_last:
        page, place = take_page(items, place, limit)
        is_last = place is None
        assert 0 < len(page) <= limit
        placed += page
    assert placed == items
    assert take_page(items, "99", limit) == ([], None)
    assert take_numbered_page(items, 30, limit, int) == ([], None)


def test_the_link_keeps_the_rest_of_the_query(app: Flask) -> None:
    with app.test_request_context("/v1/x?q=a%26after%3D7&viewer=seat:0&after=1"):
        assert next_link_header("n 2") == {"Link": '</v1/x?q=a%26after%3D7&viewer=seat:0&after=n%202>; rel="next"'}
        assert next_link_header(None) == {}


def test_pages_of_entries_as_lines_link_to_the_next_as_those_in_json_do(app: Flask) -> None:
    table = house.opened(app, "monster_combat", visibility="public")
    whole = [json.loads(line) for line in table.host.get(f"{table.path}/entries", Accept=NDJSON).text.splitlines()]
    assert len(whole) == table.version > 3
    path, found = f"{table.path}/entries?limit=3&upto={table.version - 1}", []
    while path:
        answer, same = table.host.get(path, Accept=NDJSON), table.host.get(path)
        assert answer.headers.get("Link") == same.headers.get("Link")
        found += [json.loads(line) for line in answer.text.splitlines()]
        path = answer.headers.get("Link", "").partition("<")[2].partition(">")[0]
    assert found == whole[:-1]
    assert "Link" not in table.host.get(f"{table.path}/entries", Accept=NDJSON).headers


def test_takebacks_and_disputes_are_paged(app: Flask) -> None:
    table = house.opened(app, "mau_mau")
    for _ in range(3):
        seat = int(table.awaited[0])
        move = next(each["move"] for each in table.moves(seat)["legal"] if each["flag"] != "gives_up")
        assert table.move(seat, move).status_code == 201
        moved = table.version
        claim = {"about": moved, "claim": "other", "statement": "No."}
        opened = table.seats[1 - seat].post(f"{table.path}/disputes", claim)
        assert opened.status_code == 201, opened.text
        withdrawal = f"{table.path}/disputes/{opened.json['dispute']['dispute']}/withdrawal"  # type: ignore[index]
        withdrawn = table.seats[1 - seat].post(withdrawal)
        assert withdrawn.status_code == 201, withdrawn.text
        asked: Any = table.seats[seat].post(f"{table.path}/takebacks", {"to": moved - 1}, If_Match="*")
        assert asked.status_code == 201, asked.text
        for other in asked.json["takeback"]["asks"]:
            path = f"{table.path}/takebacks/{asked.json['takeback']['takeback']}/consents"
            answered = table.seats[other].post(path, {"grant": False})
            assert answered.status_code == 201, answered.text
    for what in ("disputes", "takebacks"):
        whole: Any = table.host.get(f"{table.path}/{what}").json
        assert len(whole["items"]) > 1, what
        assert whole["next_cursor"] is None
        assert read_pages(table.host, f"{table.path}/{what}?limit=1") == [[each] for each in whole["items"]]
    for what in ("disputes", "takebacks", "deviations", "precedents"):
        problem(table.host.get(f"{table.path}/{what}?limit=201"), 422, "invalid-input")
        problem(table.host.get(f"{table.path}/{what}?after=x"), 422, "invalid-input")


def test_books_are_paged_by_name() -> None:
    app = house.app(IS_OPERATOR=lambda token: token == TOKEN)
    operator = Person(app.test_client(), TOKEN)
    for name in ("one_more", "and_one", "two_more"):
        assert publish(operator, "here_to_slay", BOOK.replace("one_more", name)).status_code == 201
    pages = read_pages(operator, "/v1/games/here_to_slay/books?limit=2")
    assert [[each["book"] for each in page] for page in pages] == [["and_one", "one_more"], ["two_more"]]

"""The course of a match as a page to print: for the eyes that ask, in their language, whole in itself."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest

from api.resources.transcript import routes
from referee.transcript import page
from tests.api import disputing, house
from tests.api.house import Person, Table, problem

LINE = re.compile(r"<p class=\"told[^\"]*\">(?:<span class=\"die\">\d+</span> )*(.*?)</p>")
SAID = "It was <b>not</b> so & “more”."


def read(person: Person, path: str, **headers: str) -> str:
    """The page, as text."""
    found = person.get(path, Accept="text/html", **headers)
    assert found.status_code == 200, found.text
    assert found.content_type == "text/html; charset=utf-8"
    return str(found.get_data(as_text=True))


def lines_of(text: str) -> list[str]:
    """What the page tells, without its marks."""
    return [unescape(line) for line in LINE.findall(text)]


def told(person: Person, path: str, lang: str = "en") -> list[str]:
    """What the same entries tell as data."""
    items = person.get(f"{path}{'&' if '?' in path else '?'}limit=200").json["items"]  # type: ignore[index]
    return [event["told"][lang] for item in items for event in item["events"] if event["told"]]


def heads(text: str) -> list[str]:
    """The headings of the turns."""
    return [unescape(head) for head in re.findall(r'<section class="turn">\s*<h3>(.*?)</h3>', text)]


@pytest.fixture(scope="module")
def dealt() -> Table:
    """A table of Monster Combat whose cards are dealt."""
    return house.opened(house.app(), seats=3, visibility="public")


def test_who_prefers_a_page_gets_one_and_everybody_else_the_data(dealt: Table) -> None:
    path = f"{dealt.path}/entries"
    for accept, kind in (
        ("", "application/json"), ("*/*", "application/json"), ("application/x-ndjson", "application/x-ndjson"),
        ("text/html,application/xhtml+xml,*/*;q=0.8", "text/html; charset=utf-8"),
    ):  # fmt: skip
        found = dealt.anyone.get(path, Accept=accept)
        assert found.content_type == kind
        assert "Accept" in found.vary
    problem(dealt.anyone.get(path, Accept="image/png"), 406, "not-acceptable")
    problem(dealt.anyone.get(f"{path}?lang=fr", Accept="text/html"), 422, "invalid-input")
    problem(dealt.anyone.get("/v1/matches/07-" + "a" * 26 + "/entries", Accept="text/html"), 404, "unknown-match")


def test_the_page_is_whole_in_itself_and_its_policy_allows_its_own_style_alone(dealt: Table) -> None:
    found = dealt.anyone.get(f"{dealt.path}/entries", Accept="text/html")
    text = found.get_data(as_text=True)
    assert found.headers["Content-Security-Policy"] == f"{page.content_policy()}; frame-ancestors 'none'"
    assert unescape(re.search(r'Policy" content="([^"]*)"', text)[1]) == page.content_policy()  # type: ignore[index]
    assert text.count("<style>") == 1
    assert not re.search(r"<script| style=| on[a-z]+=|src=|url\(|https?:|@import", text)
    named = set(re.findall(r'id="([^"]+)"', text))
    assert set(re.findall(r'href="#([^"]+)"', text)) <= named
    assert len(named) == len(re.findall(r' id="', text))


def test_the_page_speaks_the_language_that_was_asked_for(dealt: Table) -> None:
    path = f"{dealt.path}/entries"
    for query, accepts, lang in (("", "de-AT,en;q=0.5", "de"), ("", "", "en"), ("?lang=de", "en", "de")):
        found = dealt.anyone.get(f"{path}{query}", Accept="text/html", Accept_Language=accepts)
        assert found.headers["Content-Language"] == lang
        assert {"Accept", "Accept-Language"} <= set(found.vary)
        text = found.get_data(as_text=True)
        assert f'<html lang="{lang}">' in text
        assert ("<h2>Verlauf</h2>" in text, "<h2>Course</h2>" in text) == (lang == "de", lang == "en")


def test_each_pair_of_eyes_reads_what_it_is_told_as_data_and_no_more(dealt: Table) -> None:
    """Also a card in hand, which a seat reads by name and nobody else does."""
    places = {None: f"{dealt.path}/entries"} | {seat: f"{dealt.path}/entries?viewer=seat:{seat}" for seat in range(3)}
    people = {None: dealt.anyone} | dict(enumerate(dealt.seats))
    data = {viewer: told(people[viewer], path) for viewer, path in places.items()}
    for viewer, path in places.items():
        shown = set(lines_of(read(people[viewer], path)))
        absorbed = {line for line in data[viewer] if line.endswith("'s turn.")}  # the heading says it
        assert set(data[viewer]) - absorbed <= shown
        others = {line for other in data if other != viewer for line in data[other]} - set(data[viewer])
        assert len(others) >= 2
        assert not others & shown
    problem(dealt.seats[0].get(places[1], Accept="text/html"), 403, "not-your-seat")
    problem(dealt.anyone.get(places[0], Accept="text/html"), 401, "unauthorized")
    problem(dealt.seats[0].get(f"{dealt.path}/entries?viewer=full", Accept="text/html"), 409, "still-running")


def test_names_are_shown_to_whoever_sees_the_match_and_are_no_markup() -> None:
    table = house.opened(house.app(), "shy_monsters", 2, start=False, join=False, visibility="public")
    for code, name in zip(table.codes, ("Ada <i>L</i> & Co", "Bo"), strict=True):
        assert table.anyone.post("/v1/join", {"code": code, "name": name}).status_code == 201
    text = read(table.anyone, f"{table.path}/entries")
    assert "<dd>Ada &lt;i&gt;L&lt;/i&gt; &amp; Co</dd>" in text
    assert "<i>L" not in text
    private = house.opened(house.app(), "shy_monsters", 2)
    problem(private.anyone.get(f"{private.path}/entries", Accept="text/html"), 404, "unknown-match")
    assert read(private.seats[0], f"{private.path}/entries").startswith("<!DOCTYPE html>")


def test_onlookers_who_come_late_read_as_late() -> None:
    table = house.opened(house.app(), seats=2, visibility="public", spectator_delay=2)
    version = table.version
    assert f'id="e{version}"' in read(table.seats[0], f"{table.path}/entries?viewer=seat:0")
    for person in (table.anyone, table.seats[0]):
        late = read(person, f"{table.path}/entries")
        assert f'id="e{version - 2}"' in late
        assert f'id="e{version - 1}"' not in late
        assert f"<dd>{version - 2}</dd>" in late


def test_a_long_course_is_cut_says_so_and_goes_on_where_the_link_leads(monkeypatch: pytest.MonkeyPatch) -> None:
    court = disputing.court("monster_combat")
    court.play(12)
    whole = read(court.table.anyone, f"{court.table.path}/entries?lang=de")
    assert "Weiter ab Eintrag" not in whole
    last = court.table.version
    monkeypatch.setattr(routes, "MAX_PAGE_ENTRIES", 7)
    found, there = list[str](), "?lang=de"
    while there:
        text = read(court.table.anyone, f"{court.table.path}/entries{there}")
        versions = re.findall(r'id="e(\d+)"', text)
        assert len(versions) <= 7
        first = int(versions[0])
        assert f"Diese Seite zeigt die Einträge {first} bis {versions[-1]} von {last}." in text
        found += versions
        link = re.search(r'<a rel="next" href="([^"]*)"', text)
        there = unescape(link[1]) if link else ""
        assert not there or "lang=de" in there
    assert found == [str(n) for n in range(1, last + 1)]
    one = read(court.table.anyone, f"{court.table.path}/entries?lang=de&after={last - 1}")
    assert heads(one)[-1] == heads(whole)[-1]
    only = read(court.table.anyone, f"{court.table.path}/entries?type=table.Started")
    assert lines_of(only) == ["The match has begun."]


def test_disputes_and_what_they_took_back_stand_on_the_page() -> None:
    court = disputing.court("monster_combat")
    court.play(6)
    about = next(n for n in range(court.table.version, 1, -1) if isinstance(entry(court, n)["seat"], int))
    opened = court.open(0, about, "other", statement=SAID)
    number = opened["dispute"]
    found = court.attested(number) if opened["stage"] == "attesting" else opened
    ruled = court.ruled(number, reason="Back <to> it.") if found else None
    text = read(court.table.anyone, f"{court.table.path}/entries")
    assert "<b>" not in text
    shown = unescape(re.sub(r"<[^>]+>", "", text))
    assert f"Dispute {number} about entry {about} (Player 1): something else" in shown
    assert f"“{SAID}”" in shown
    assert ruled is not None
    assert ruled.status_code == 201, ruled.text
    assert "“Back <to> it.”" in shown
    assert "Remedy: go back to before it" in shown
    assert "Rests on: TABLE-REMEDY-1" in shown
    last = ruled.json["entry"]["version"]
    back = re.search(r'<details class="back" open>(.*?)</details>', text, re.DOTALL)
    assert back is not None
    assert f"taken back by {last}" in back[1]
    assert f'id="e{about}"' in back[1]
    late = read(court.table.anyone, f"{court.table.path}/entries?after={last}")
    assert f"Dispute {number} about entry {about}" in late
    assert set(re.findall(r'href="#([^"]+)"', late)) <= set(re.findall(r'id="([^"]+)"', late))


def entry(court: Any, n: int) -> dict[str, Any]:
    """An entry as data."""
    return dict(court.table.anyone.get(f"{court.table.path}/entries/{n}").json)

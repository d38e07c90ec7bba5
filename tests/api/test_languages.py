"""One language a response: what was asked for, in every form in which an answer comes."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st

from api.http.encoding.languages import cut_texts, read_accepted_language
from tests.api import house
from tests.api.house import problem
from tests.api.streaming import Heard, quick

TEXTS = st.text(alphabet='abü€"\\{}:,[]\n', max_size=12)
PAIRS = st.fixed_dictionaries({"en": TEXTS, "de": TEXTS}) | st.fixed_dictionaries({"de": TEXTS, "en": TEXTS})
KEYS = st.sampled_from(["en", "de", "told", '{"en":"', '","de":"'])
DATA = st.recursive(
    PAIRS | TEXTS | st.none() | st.integers(0, 9) | st.dictionaries(st.sampled_from(["en", "de"]), st.integers(0, 9)),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


def cut_by_hand(data: Any, lang: str) -> Any:
    """Return data with one language of each text, by walking through it."""
    if isinstance(data, list):
        return [cut_by_hand(each, lang) for each in data]
    if not isinstance(data, dict):
        return data
    if data.keys() == {"en", "de"} and all(isinstance(each, str) for each in data.values()):
        return {lang: data[lang]}
    return {key: cut_by_hand(value, lang) for key, value in data.items()}


@given(DATA, st.sampled_from(["en", "de"]))
def test_cutting_bytes_is_cutting_data(data: Any, lang: Any) -> None:
    assert orjson.loads(cut_texts(orjson.dumps(data), lang)) == cut_by_hand(data, lang)


@pytest.mark.parametrize(
    ("accept", "wanted"),
    [
        ("", None),
        ("*", None),
        ("*, de", "de"),
        ("*, de;q=0.5", None),
        ("de", "de"),
        ("de-AT", "de"),
        ("DE-at, en;q=0.5", "de"),
        ("en;q=0.1, de-DE", "de"),
        ("de;q=0, en;q=0.1", "en"),
        ("fr, de;q=0.2, *;q=0.1", "de"),
        ("fr, *;q=0.1", None),
        ("fr", "en"),
        ("de;q=0", "en"),
        ("nonsense=;", "en"),
    ],
)
def test_the_language_is_looked_up_as_rfc_4647_says(accept: str, wanted: str | None) -> None:
    assert read_accepted_language(accept) == wanted


def languages(data: Any) -> set[str]:
    """Return which members the texts in some data have."""
    if isinstance(data, list):
        return set().union(*map(languages, data))
    if not isinstance(data, dict):
        return set()
    if data.keys() & {"en", "de"}:
        return {"+".join(sorted(data.keys()))}
    return set().union(*map(languages, data.values()))


@pytest.fixture(params=[True, False], ids=["lane", "flask"])
def table(request: pytest.FixtureRequest) -> house.Table:
    return house.opened(house.app(HOT_LANE=request.param))


@pytest.mark.parametrize("name", ["situation", "moves", "view", "entries", "explanation", "windows"])
def test_an_answer_has_the_language_that_was_asked_for(table: house.Table, name: str) -> None:
    of_seat, person = name in ("situation", "moves"), table.seats[0]
    path = f"{table.path}/seats/0/{name}?" if of_seat else f"{table.path}/{name}?viewer=seat:0&"
    for more, headers, found, told in [
        ("", {}, "de+en", "en, de"),
        ("", {"Accept_Language": "de-AT, en;q=0.5"}, "de", "de"),
        ("", {"Accept_Language": "fr"}, "en", "en"),
        ("lang=en", {"Accept_Language": "de"}, "en", "en"),
        ("lang=all", {"Accept_Language": "de"}, "de+en", "en, de"),
    ]:
        said = person.get(path + more, **headers)
        assert said.status_code == 200, said.text
        assert languages(said.json) <= {found}
        assert said.headers["Content-Language"] == told
        assert "Accept-Language" in said.headers["Vary"]
    assert languages(person.get(f"{table.path}/seats/0/situation").json) == {"de+en"}


def test_the_etag_says_the_language_and_304_is_for_the_same_form(table: house.Table) -> None:
    path, person = f"{table.path}/seats/0/situation", table.seats[0]
    both, german = person.get(path), person.get(path, Accept_Language="de")
    version = both.json["version"]  # type: ignore[index]
    assert both.headers["ETag"] == f'"v{version}"'
    assert german.headers["ETag"] == f'"v{version}-de"'
    for have, lang, status in [
        (f'"v{version}-de"', "de", 304),
        (f'W/"v{version}-de"', "de", 304),
        (f'"v{version}-de"', "en", 200),
        (f'"v{version}"', "de", 200),
        (f'"v{version}-de"', "", 200),
        (f'"v{version}"', "", 304),
        ("*", "de", 304),
    ]:
        said = person.get(path, If_None_Match=have, **({"Accept_Language": lang} if lang else {}))
        assert said.status_code == status, (have, lang)
        assert said.headers["ETag"].removeprefix("W/") == (f'"v{version}-{lang}"' if lang else f'"v{version}"')


def test_a_write_takes_the_version_in_every_form(table: house.Table) -> None:
    for form in ('"v{}"', '"v{}-de"', 'W/"v{}-en"'):
        seat = next(at for at in (0, 1) if table.moves(at)["awaited"])
        listed = table.moves(seat)
        move = next(each["move"] for each in listed["legal"] if each["flag"] != "gives_up")
        said = table.move(seat, move, If_Match=form.format(listed["version"]), Accept_Language="de")
        assert said.status_code == 201, said.text
        assert languages(said.json) == {"de"}
        assert said.headers["ETag"] == f'"v{said.json["version"]}-de"'  # type: ignore[index]


def test_a_repeated_write_is_told_in_the_language_asked_for_now(table: house.Table) -> None:
    seat = next(at for at in (0, 1) if table.moves(at)["awaited"])
    move = next(each["move"] for each in table.moves(seat)["legal"] if each["flag"] != "gives_up")
    german = table.move(seat, move, Idempotency_Key="once", Accept_Language="de", Prefer="return=representation")
    english = table.move(seat, move, Idempotency_Key="once", Accept_Language="en", Prefer="return=representation")
    assert english.headers["Idempotency-Replayed"] == "true"
    assert languages(german.json) == {"de"}
    assert languages(english.json) == {"en"}
    assert german.json["entry"]["version"] == english.json["entry"]["version"]  # type: ignore[index]


def test_the_texts_in_a_problem_are_in_its_language(table: house.Table) -> None:
    seat = next(at for at in (0, 1) if not table.moves(at)["awaited"])
    move = {"type": "mc.pass"}
    said = problem(table.move(seat, move, Accept_Language="de"), 409, "illegal-move")
    assert said["detail"] == said["ruling"]["reason"]["de"]
    assert languages(said) == {"de"}
    person = table.seats[seat]
    asked = person.post(f"{table.path}/seats/{seat}/moves?lang=en", {"move": move}, Accept_Language="de")
    said = problem(asked, 409, "illegal-move")
    assert said["detail"] == said["ruling"]["reason"]["en"]
    assert languages(said) == {"en"}


def test_an_unknown_language_is_refused_and_named(table: house.Table) -> None:
    for path in (f"{table.path}/seats/0/situation", table.path, "/v1/games"):
        said = problem(table.seats[0].get(f"{path}?lang=fr"), 422, "invalid-input")
        assert said["errors"] == [{"pointer": "/lang", "detail": "Must be one of: all, de, en.", "in": "query"}]


def test_lines_of_json_have_one_language(table: house.Table) -> None:
    said = table.seats[0].get(f"{table.path}/entries?lang=de", Accept="application/x-ndjson")
    assert said.headers["Content-Language"] == "de"
    lines = [json.loads(line) for line in said.text.splitlines()]
    assert len(lines) > 2
    assert languages(lines) == {"de"}


def test_a_stream_keeps_the_language_of_its_request(app: Flask) -> None:
    """Streams of one viewer share what is encoded, and yet each has its own language."""
    table = house.opened(quick(app))
    asked = (("de", {"de"}), ("en", {"en"}), ("*", {"de+en"}))
    heard = [
        (Heard(table.seats[0].get(f"{table.path}/stream?viewer=seat:0", Accept_Language=lang)), wanted)
        for lang, wanted in asked
    ]
    seat = next(at for at in (0, 1) if table.moves(at)["awaited"])
    move = next(each["move"] for each in table.moves(seat)["legal"] if each["flag"] != "gives_up")
    version = table.move(seat, move).json["version"]  # type: ignore[index]
    for stream, wanted in heard:
        found = stream.until(version)
        assert {"snapshot", "entry"} <= {told.kind for told in found}
        assert languages([told.data for told in found]) == wanted
        stream.response.close()

"""What is wrong with a request is told in the language of the answer, whatever check has found it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from referee.games import load_games
from referee.rendering.input_errors import translate_input_error
from tests.api.house import Person
from tests.api.owasp.places import HERE, LET_IN, Call, everybody

WRONG: tuple[Any, ...] = (
    None, True, -1, 1.5, 10**17, "", "x" * 600, "a\x00b", [], ["a", "a"], [None] * 70, {"x": 1}, [[[0]]],
)  # fmt: skip
BODIES = [call for call in HERE.values() if call.body is not None]
POSITIONS = 60  # broken positions of a game


def broken(body: Any) -> Iterator[Any]:
    """The body with something wrong in one place: each place, in each way."""
    yield from WRONG
    if isinstance(body, dict):
        yield {**body, "unheard_of": 1}
        for name, part in body.items():
            yield {key: value for key, value in body.items() if key != name}
            yield from ({**body, name: wrong} for wrong in broken(part))
    elif isinstance(body, list):
        yield body * 2
        for at, part in enumerate(body):
            yield from ([*body[:at], wrong, *body[at + 1 :]] for wrong in broken(part))


def list_details(answer: Any) -> list[str]:
    """The details of the errors in a problem."""
    return [each["detail"] for each in answer.json.get("errors", ())] if answer.status_code >= 400 else []


@pytest.mark.deep
def test_whatever_is_wrong_with_a_body_is_told_in_german() -> None:
    there, found = everybody("public"), set[str]()
    for call in BODIES:
        person = there.people[LET_IN[call.place][0] if call.place != "open" else "nobody"]
        for body in broken(call.body):
            if body is None:
                continue  # this would be the call as it is
            english, german = (
                set(list_details(ask_in(call, person, there.table.match, body, lang))) for lang in ("en", "de")
            )
            assert not german & english, (call.name, body, german & english)
            found |= german
    assert len(found) > 80


def ask_in(call: Call, person: Person, match: str, body: Any, lang: str) -> Any:
    return call.by(person, match, body, Accept_Language=lang)


@pytest.mark.parametrize("game", list(load_games()))
def test_whatever_is_wrong_with_a_position_is_told_in_german(app: Flask, game: str) -> None:
    dice, found, anyone = random.Random(game), set[str](), Person(app.test_client())
    box = load_games()[game]
    written = [(variant, each) for variant in box.variants for each in box.positions.build_examples(variant)]
    for variant, position in dice.sample(written, min(12, len(written))):
        wrong = [each for each in broken(position) if isinstance(each, dict)]
        for each in dice.sample(wrong, min(POSITIONS // 12, len(wrong))):
            body = {"variant": variant, "position": each}
            for path, more in (("rulings", {"seat": 0, "move": {"type": "choose.accept"}}), ("positions/census", {})):
                english, german = (
                    set(list_details(anyone.post(f"/v1/games/{game}/{path}", body | more, Accept_Language=lang)))
                    for lang in ("en", "de")
                )
                assert not german & english, (body, german & english)
                found |= german
    assert len(found) > 3


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("Must be one of: en, de.", "Erlaubt ist hier eins von: en, de."),
        ("a text is needed", "Hier wird ein Text gebraucht."),
        ("a list of 2 or null is needed", "Hier wird eine Liste mit genau 2 Einträgen oder null gebraucht."),
        ("null or one of up, down is needed", "Hier wird null oder eins von diesen gebraucht: up, down."),
        ("unknown name 'swrd'; did you mean sword?", "'swrd' ist hier kein bekannter Name. Ist sword gemeint?"),
        ("expected 'a' or a whole number from 1 to 9", "Erlaubt ist hier: 'a' oder eine ganze Zahl von 1 bis 9."),
        (
            "unknown value 'gold'; known: red, blue",
            "'gold' ist hier kein bekannter Wert. Es gibt: red, blue.",
        ),
        ("is missing", "Das fehlt."),
        ("Das steht schon da.", "Das steht schon da."),
    ],
)
def test_a_message_keeps_what_it_names(english: str, german: str) -> None:
    assert translate_input_error(english, "de") == german
    assert translate_input_error(english, "en") == english

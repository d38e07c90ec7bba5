"""The sentence to read aloud, and the files it is made of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from referee.engine.codec import REGISTRY
from referee.engine.events import Event, Move
from referee.engine.rulebook.book import KERNEL_RULEBOOK, LANGUAGES, NO_CLAUSE, BookError, Rulebook
from referee.engine.rulebook.messages import find_placeholders
from referee.games import load_games
from referee.match.events.deviation_events import DeviationGranted
from referee.match.events.ending_events import EndConsented
from referee.match.events.office_events import OfficialRefused
from referee.match.rulebook import TABLE_BOOK
from referee.rendering import texts
from referee.rendering.summary import find_spoken_text

BOOKS = {"kernel": KERNEL_RULEBOOK, "desk": TABLE_BOOK, **{name: game.rulebook for name, game in load_games().items()}}
MORE = {
        "sum", "hits", "who", "count", "named", "Named", "monster", "cards", "seats", "game", "found",
        "span", "bound", "needed", "number", "found_count", "first", "second", "dice", "own", "aim"}  # fmt: skip


def placeholders(text: str) -> set[str]:
    return set(find_placeholders(text))


def things(key: str) -> list[type[Any]]:
    """The facts or moves that a key of `narration.yaml` may be about."""
    if key.startswith("move."):
        tag = key.removeprefix("move.")
        return [
            kind for name, kind in REGISTRY.items() if issubclass(kind, Move) and (tag + ".").startswith(name + ".")
        ]
    name = key.partition(".")[0]
    return [kind for kind in REGISTRY.values() if issubclass(kind, Event) and kind.TAG.rpartition(".")[2] == name]


def parts_of(kind: type[Any]) -> Iterator[str]:
    """The names of what a fact or a move says, and of what a record in it says."""
    for name, hint in get_type_hints(kind).items():
        yield name
        if is_dataclass(hint):
            yield from (part.name for part in fields(hint))


@pytest.mark.parametrize("name", BOOKS)
def test_what_is_read_aloud_is_about_something_that_can_happen(name: str) -> None:
    book = BOOKS[name]
    for key, said in book.spoken_texts.items():
        kinds = things(key)
        assert kinds, key
        known = MORE | {name for kind in kinds for name in parts_of(kind)}
        for lang in LANGUAGES:
            asked = placeholders(said.says[lang])
            assert asked <= known, (key, asked - known)
            assert not re.search(r"[.!?]$|[.!?] +[A-ZÄÖÜ]", said.says[lang]), key
        if said.clause not in ("", NO_CLAUSE):
            clause = texts.find_clause(load_games().get(name), said.clause)
            assert not clause.answers_question, "a reading answers a question of its own and gives no reason"


def test_both_languages_ask_for_the_same(tmp_path: Path) -> None:
    for book in BOOKS.values():
        for key, said in book.spoken_texts.items():
            asked = [set(find_placeholders(said.says[lang])) for lang in LANGUAGES]
            assert {part.lower() for part in asked[0]} == {part.lower() for part in asked[1]}, key
    (tmp_path / "clauses.yaml").write_text("[]")
    (tmp_path / "messages.yaml").write_text("{}")
    for wrong in ("Passed: {en: passes}", "Passed: {en: passes, de: passt, why: x}"):
        (tmp_path / "narration.yaml").write_text(wrong)
        with pytest.raises(BookError, match="Passed"):
            Rulebook.load(tmp_path)


@pytest.mark.parametrize(
    ("event", "english", "german"),
    [
        (EndConsented(4, (1,)), "Player 2 agrees that the match ends", "Spieler 2 ist damit einverstanden, dass"),
        (EndConsented(4, (0, 1)), "Player 1 and Player 2 agree that", "Spieler 1 und Spieler 2 sind damit"),
        (OfficialRefused(4, (1,)), "Player 2 does not accept official 4", "Spieler 2 ist mit der Ernennung 4 nicht"),
        (DeviationGranted(4, (0, 2)), "Player 1 and Player 3 agree to", "Spieler 1 und Spieler 3 sind mit der"),
    ],
)
def test_one_and_several_who_agree_are_told_in_a_sentence(event: Event, english: str, german: str) -> None:
    told = find_spoken_text(load_games()["mau_mau"], event)
    assert told is not None
    assert (told.says["en"].startswith(english), told.says["de"].startswith(german)) == (True, True), told

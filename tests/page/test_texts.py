"""The page's own texts: both languages hold the same places for values, and whoever shows a text fills all of them."""

from __future__ import annotations

import re
from typing import get_args, get_type_hints

from api.pages.companion import APP
from referee.games.creature_crush.board.shapes import CreatureCrushDelayed
from referee.games.here_to_slay.board.shapes import HereToSlayDelayed, HereToSlayLasting
from referee.games.munchkin.board.shapes import MunchkinDelayed, MunchkinLasting

TEXT = re.compile(r'^  (\w+): \["((?:[^"\\]|\\.)*)", "((?:[^"\\]|\\.)*)"\],$', re.MULTILINE)
HOLE = re.compile(r"\{(\w+)[|}]")  # also of a word for one or for several
SHOWN = re.compile(r'\bt\("(\w+)"(\)|, \{)')
MEMBER = re.compile(r"\s*(\w+)\s*(?:[:,]|$)")


def read_texts() -> dict[str, tuple[str, str]]:
    written = [path.read_text("utf-8") for path in sorted(APP.rglob("texts.js"))]
    return {name: (german, english) for text in written for name, german, english in TEXT.findall(text)}


def list_members(text: str) -> set[str]:
    """Returns the names of the members of an object literal that begins here, after its opening brace."""
    depth, start, members = 0, 0, set()
    for at, letter in enumerate(text):
        ends = depth == 0 and letter in ",}"
        if ends and (member := MEMBER.match(text[start:at])):
            members.add(member[1])
        if ends and letter == "}":
            return members
        if ends:
            start = at + 1
        depth += (letter in "({[") - (letter in ")}]")
    raise AssertionError("the values of a text are not closed")


def test_all_times_of_boards_have_a_text() -> None:
    texts = read_texts()
    for shape in (HereToSlayDelayed, MunchkinDelayed, CreatureCrushDelayed, HereToSlayLasting, MunchkinLasting):
        key, prefix = ("when", "later_") if "when" in shape.__annotations__ else ("until", "until_")
        times = get_args(get_args(get_type_hints(shape, include_extras=True)[key])[0])
        assert [time for time in times if f"{prefix}{time}" not in texts] == [], shape


def test_german_and_english_hold_the_same_values() -> None:
    texts = read_texts()
    assert len(texts) > 300, "texts.js is no longer written as this test reads it"
    assert [name for name, (one, other) in texts.items() if set(HOLE.findall(one)) != set(HOLE.findall(other))] == []


def test_whoever_shows_a_text_fills_it() -> None:
    texts, shown, wrong = read_texts(), 0, []
    for path in sorted(APP.rglob("*.js")):
        source = path.read_text("utf-8")
        for found in SHOWN.finditer(source):
            shown += 1
            given = list_members(source[found.end() :]) if found[2] != ")" else set()
            if found[1] not in texts or not set(HOLE.findall(texts[found[1]][0])) <= given:
                wrong.append(f"{path.name}: {found[1]} gets {sorted(given)}")
    assert shown > 300
    assert wrong == []

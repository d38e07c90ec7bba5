"""Texts in the message format of ICU: what they need, how they are filled, and that all of ours are such texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import referee
from referee.engine.rulebook.book import LANGUAGES, read_yaml
from referee.engine.rulebook.messages import blank_placeholders, find_placeholders, format_message

CARDS = "{who} draws {count, plural, =0 {nothing} one {# card from {pile}} other {# cards from {pile}}}"


def test_a_plural_takes_the_form_that_the_number_asks_for() -> None:
    values = {"who": "Ada", "pile": "the deck"}
    told = [format_message(CARDS, "en", {**values, "count": count}) for count in (0, 1, 2)]
    assert told == ["Ada draws nothing", "Ada draws 1 card from the deck", "Ada draws 2 cards from the deck"]


def test_a_choice_takes_the_word_of_the_value_and_a_number_its_sign() -> None:
    text = "{kind, select, hero {einen Helden} other {einen Gegenstand}}: {value, number, ::+!}"
    assert format_message(text, "de", {"kind": "hero", "value": 3}) == "einen Helden: +3"
    assert format_message(text, "de", {"kind": "item", "value": -1}) == "einen Gegenstand: -1"


def test_a_plain_value_stands_for_itself_whatever_language_it_is() -> None:
    assert format_message("v{version} {seat}", "de", {"version": 12345, "seat": "chance"}) == "v12345 chance"
    assert format_message("it's {x}'s, isn't it", "en", {"x": "Ada"}) == "it's Ada's, isn't it"


def test_a_value_that_is_missing_is_an_error_and_no_hole_in_the_text() -> None:
    with pytest.raises(KeyError, match="pile"):
        format_message(CARDS, "en", {"who": "Ada", "count": 1})
    with pytest.raises(KeyError, match="seat"):
        format_message("{seat}", "en", {})


def test_what_a_text_needs_is_found_in_its_branches_too() -> None:
    assert set(find_placeholders(CARDS)) == {"who", "count", "pile"}
    assert find_placeholders("{n, plural, one {Karte} other {Karten}}") == ("n",), "a branch is no placeholder"
    assert find_placeholders("nothing") == ()


def test_values_can_be_left_out_of_a_text() -> None:
    assert blank_placeholders(CARDS) == "… draws …"
    assert blank_placeholders("plays {card} with {value, number, ::+!}") == "plays … with …"


@pytest.mark.parametrize("text", ["{a", "a}{", "{}", "{a, plural, one {x}", "{a, plural, one {x}}"])
def test_a_text_that_is_no_message_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"message|match"):
        format_message(text, "en", {"a": 1})


def test_a_choice_of_words_goes_by_the_value_itself_and_not_by_how_it_reads() -> None:
    def render(value: Any, lang: str) -> str:
        return f"{value} in {lang}"

    text = "{kind, select, hero {einen Helden} other {etwas}}"
    assert format_message(text, "de", {"kind": "hero"}, render) == "einen Helden"
    assert format_message("{kind}: " + text, "de", {"kind": "hero"}, render) == "hero in de: etwas"


def texts_of(data: Any) -> Iterator[dict[str, str]]:
    """Every text in both languages within the data of a file."""
    parts = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    if isinstance(data, dict) and all(isinstance(data.get(lang), str) for lang in LANGUAGES):
        yield data
    for part in parts:
        yield from texts_of(part)


def test_no_text_leaves_the_plural_to_the_reader() -> None:
    for path in sorted(Path(referee.__file__).parent.rglob("*.yaml")):
        for text in texts_of(read_yaml(path)):
            assert not re.search(r"\w\((s|es|n|en|e)\)", text["en"] + text["de"]), text


def test_every_text_can_be_filled_and_needs_the_same_in_both_languages() -> None:
    found = 0
    for path in sorted(Path(referee.__file__).parent.rglob("*.yaml")):
        if path.parent.name == "catalogs":
            continue  # sentences with blanks, which tests/cardscript/sheets fills
        for text in texts_of(read_yaml(path)):
            needs = [set(find_placeholders(text[lang])) for lang in LANGUAGES]
            for lang in LANGUAGES:
                assert format_message(text[lang], lang, dict.fromkeys(needs[0] | needs[1], 2)), text
            found += 1
            is_pattern = path.name == "input_errors.yaml"  # its English is what a library says, not a text
            assert needs[0] == needs[1] or path.parent.name == "cards" or is_pattern, text
    assert found > 5000

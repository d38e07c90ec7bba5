"""Texts with placeholders, plurals and choices, in the message format of ICU.

`{card}` stands for a value, `{count, plural, one {# card} other {# cards}}` for the form that a number asks for,
`{kind, select, hero {a hero} other {an item}}` for one of several words, `{value, number, ::+!}` for a number with its
sign. ICU itself formats (`icu4py`). Here is what it does not know: which values a text needs, and `{seat, player}`, the
player or players on a seat or seats: `Player 1`, `Spieler 1 und Spieler 3`. That is also the placeholder which clients
fill with names (`fill_names`, decision 56).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum, auto
from functools import lru_cache
from typing import Any

from icu4py.messageformat import MessageFormat

from referee.engine.seats import seat_label

MAX_COMPILED = 20_000  # texts: all games together have some six thousand in each language
ARGUMENT = re.compile(r"\{\s*(\w+)\s*(?:,\s*(\w+)\s*)?")
BRANCHING = ("plural", "select", "selectordinal")
PLAYER_ARGUMENT = re.compile(r"\{\s*(\w+)\s*,\s*player\s*\}")
BLANK = "…"
PLAYER = {"en": "Player", "de": "Spieler"}
AND = {"en": "and", "de": "und"}
# Who makes entries and is awaited without being a player.
NO_PLAYER = {
    "chance": {"en": "chance", "de": "der Zufall"},
    "clock": {"en": "the clock", "de": "die Uhr"},
    "bystander": {"en": "the table", "de": "der Tisch"},
    "table": {"en": "the table", "de": "der Tisch"},
    "host": {"en": "the host", "de": "der Gastgeber"},
    "referee": {"en": "the referee", "de": "der Referee"},
    "arbiter": {"en": "the arbiter", "de": "der Schiedsrichter"},
}
NAMED_PLAYER = re.compile(rf"\b(?:{'|'.join(PLAYER.values())}) ([1-9][0-9]*)\b")

NAMED_PLAYER_FOLDED = re.compile(NAMED_PLAYER.pattern, re.IGNORECASE)


class Kind(Enum):
    """What a placeholder shows: a value, one of several words, a number, or players."""

    VALUE = auto()
    CHOICE = auto()  # `select` alone: the value is compared with the cases, never shown
    NUMBER = auto()
    PLAYER = auto()


def format_message(
    text: str, lang: str, values: Mapping[str, Any], render: Callable[[Any, str], Any] | None = None
) -> str:
    """Return a text in a language with its placeholders filled.

    `render` says how values that are neither numbers nor players read in a language.

    Raises KeyError if a value is missing, and ValueError if the text is no message or a plural's value no number.
    """
    if "{" not in text:
        return text
    message, kinds = _compile(text, lang)
    prepared = {
        name: values[name]
        if kind is Kind.NUMBER
        else describe_players(values[name], lang)
        if kind is Kind.PLAYER
        else str(values[name])
        if kind is Kind.CHOICE
        else str(values[name] if render is None else render(values[name], lang))
        for name, kind in kinds
    }
    formatted: str = message.format(prepared)
    return formatted


def describe_players(seats: Any, lang: str) -> str:
    """Return the player on a seat, or the players on a list of seats, in words.

    A seat is its number or its label (`0`, `"0"`, `"chance"`); any other text is returned as it is.
    """
    if isinstance(seats, list | tuple):
        return join_words(list(dict.fromkeys(describe_players(seat, lang) for seat in seats)), lang)
    label = seat_label(seats) if isinstance(seats, int) else str(seats)
    if label.isdecimal():
        return f"{PLAYER[lang]} {int(label) + 1}"
    return NO_PLAYER[label][lang] if label in NO_PLAYER else label


def name_seat_places(*kinds: tuple[Sequence[str], str, str]) -> dict[str, dict[str, str]]:
    """Return the names of places that each seat has, such as `deck of Player 1`.

    Each kind has its places by seat, and what stands before the player in English and in German.
    """
    return {
        place: {"en": f"{en} {describe_players(seat, 'en')}", "de": f"{de} {describe_players(seat, 'de')}"}
        for places, en, de in kinds
        for seat, place in enumerate(places)
    }


def join_words(words: list[str], lang: str) -> str:
    """Return words as a list in a sentence: `Ada, Ben and Cleo`."""
    return f" {AND[lang]} ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)


def distinguish_names(names: Mapping[str, str | None]) -> dict[int, str]:
    """Return names for texts by seat: no two alike, none for another player.

    A name that holds what stands for a player ("not Player 2") is left out, so that names are never filled into names.
    `names` has them by the number of the seat as text.
    """
    usable = {int(seat): name for seat, name in names.items() if name and _fold_name(name)}
    given = {seat: name for seat, name in usable.items() if NAMED_PLAYER_FOLDED.search(_fold_name(name)) is None}
    folded = [_fold_name(name) for name in given.values()]
    told = {seat: name for seat, name in given.items() if folded.count(_fold_name(name)) == 1}
    for seat in sorted(given.keys() - told.keys()):
        told[seat] = f"{given[seat]} ({seat + 1})"
        while _fold_name(told[seat]) in {_fold_name(name) for at, name in told.items() if at != seat}:
            told[seat] += f" ({seat + 1})"
    return told


def _fold_name(name: str) -> str:
    """Return a name as people see it, whatever its form, width or case."""
    seen = "".join(each for each in unicodedata.normalize("NFKC", name) if unicodedata.category(each) != "Cf")
    return " ".join(seen.casefold().split())


def fill_names(text: str, names: Mapping[int, str]) -> str:
    """Return a text with the players called by their names, by seat.

    A player without a name stays `Player 1`.
    """
    return NAMED_PLAYER.sub(lambda found: names.get(int(found[1]) - 1) or found[0], text)


def find_placeholders(text: str) -> tuple[str, ...]:
    """Return the names of the values that a text needs. Raises ValueError."""
    return tuple(_find_kinds(text))


def blank_placeholders(text: str) -> str:
    """Return a text with `…` for every value, one for several in a row.

    Raises ValueError.
    """
    parts, end = [], 0
    for start, stop in _find_arguments(text, 0, len(text)):
        parts += [text[end:start], BLANK]
        end = stop
    return re.sub(f"{BLANK}+", BLANK, "".join((*parts, text[end:])))


@lru_cache(MAX_COMPILED)
def _compile(text: str, lang: str) -> tuple[MessageFormat, tuple[tuple[str, Kind], ...]]:
    try:
        return MessageFormat(PLAYER_ARGUMENT.sub(r"{\1}", text), lang), tuple(_find_kinds(text).items())
    except ValueError as error:
        raise ValueError(f"{text!r} is no message: {error}") from error


def _find_kinds(text: str) -> dict[str, Kind]:
    """Return the placeholders of a text, each with what it shows."""
    kinds: dict[str, Kind] = {}
    spans = list(_find_arguments(text, 0, len(text)))
    while spans:
        start, stop = spans.pop(0)
        head = ARGUMENT.match(text, start)
        if head is None:
            raise ValueError(f"no placeholder: {text[start:stop]!r}")
        kind = {None: Kind.VALUE, "select": Kind.CHOICE, "player": Kind.PLAYER}.get(head[2], Kind.NUMBER)
        known = kinds.setdefault(head[1], kind)
        if known is not kind:
            if Kind.PLAYER in {known, kind}:
                raise ValueError(f"{head[1]} is a player and a value in {text!r}")
            kinds[head[1]] = Kind.VALUE if {known, kind} == {Kind.VALUE, Kind.CHOICE} else Kind.NUMBER
        if head[2] in BRANCHING:
            for branch, end in _find_arguments(text, head.end(), stop - 1):
                spans += _find_arguments(text, branch + 1, end - 1)
    return kinds


def _find_arguments(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Yield where the outermost braces begin and end.

    Raises ValueError if they do not match.
    """
    depth = begun = 0
    for at in range(start, stop):
        if text[at] == "{":
            begun = begun if depth else at
            depth += 1
        elif text[at] == "}":
            depth -= 1
            if depth < 0:
                break
            if depth == 0:
                yield begun, at + 1
    if depth:
        raise ValueError(f"braces do not match in {text!r}")

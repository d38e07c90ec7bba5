"""`referee judge` on a terminal: asks for missing facts one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import click
import yaml

from referee.engine.game import Game
from referee.engine.positions.left_out import write_member
from referee.engine.rulebook.messages import fill_names
from referee.position_rulings.file_format import FactsMissingError
from referee.position_rulings.labels import PositionWording
from referee.position_rulings.plain_words.renaming import find_seat
from referee.position_rulings.request import read_path
from referee.rendering.html import sanitize_line

Judge = Callable[[bytes], tuple[Game, dict[str, Any]]]
UNKNOWN_WORDS = ("", "?", "unknown", "unbekannt")
NONE_WORDS = ("-", "none", "nothing", "nobody", "keine", "nichts", "niemand")


class NoAnswer(ValueError):
    """What was typed is none of the answers."""


def judge_by_interview(data: dict[str, Any], judge: Judge, lang: str) -> tuple[Game, dict[str, Any], str]:
    """Ask for every fact that is missing; return game, ruling and complete file.

    `judge` rules on a file; raises FactsMissingError. The file is empty if nothing was asked.
    """
    has_asked = False
    while True:
        written = yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=110)
        try:
            game, ruling = judge(written.encode())
        except FactsMissingError as missing:
            words = PositionWording(missing.game, lang)
            if not has_asked:
                click.echo(words.render_word("talk.begin"))
            has_asked = True
            for at, fact in enumerate(missing.facts, 1):
                click.echo(f"\n[{at}/{len(missing.facts)}] {sanitize_line(call_by_name(fact['asks'][lang], data))}")
                data = ask_fact(data, fact, words)
        else:
            return game, ruling, written if has_asked else ""


def call_by_name(text: str, data: Mapping[str, Any]) -> str:
    """Return a text with the players called by the names that a file gives them."""
    return fill_names(text, dict(enumerate(data.get("names", ()))))


def ask_fact(data: dict[str, Any], fact: Mapping[str, Any], words: PositionWording) -> dict[str, Any]:
    """Ask for one fact until it is answered, and return the data with the answer.

    What nobody knows is entered under `unknown`.
    """
    for line in list_choices(fact, words):
        click.echo(sanitize_line(call_by_name(line, data)))
    while True:
        typed = click.prompt(">", default="", show_default=False, prompt_suffix=" ").strip()
        if typed.casefold() in UNKNOWN_WORDS:
            return {**data, "unknown": [*data.get("unknown", []), fact["pointer"]]}
        try:
            value = read_answer(typed, fact, data.get("names", ()))
        except NoAnswer:
            click.echo(words.render_word("talk.wrong"))
        else:
            filled: dict[str, Any] = write_member(data, read_path(fact["pointer"]), value)
            return filled


def list_choices(fact: Mapping[str, Any], words: PositionWording) -> Iterator[str]:
    """Yield the lines that show how a fact may be answered."""
    if fact["kind"] == "number":
        yield f"  {words.render_word('facts.number', least=fact['least'], most=fact['most'])}"
    for at, each in enumerate(fact["values"], 1):
        yield f"  {at:>2}  {each['says'][words.lang]}"
    if fact["kind"] == "several":
        yield f"   -  {words.render_word('talk.none')}"


def read_answer(typed: str, fact: Mapping[str, Any], players: Sequence[str] = ()) -> Any:
    """Return the value that somebody means by a number or a name. Raises NoAnswer."""
    if fact["kind"] == "number":
        if not typed.lstrip("-").isdecimal() or not fact["least"] <= int(typed) <= fact["most"]:
            raise NoAnswer(typed)
        return int(typed)
    if fact["kind"] == "several":
        if typed.casefold() in NONE_WORDS:
            return []
        return [find_value(part.strip(), fact["values"], players) for part in typed.split(",") if part.strip()]
    return find_value(typed, fact["values"], players)


def find_value(typed: str, values: Sequence[Mapping[str, Any]], players: Sequence[str] = ()) -> Any:
    """Return the value of this number or name, or of a name that begins so.

    Raises NoAnswer.
    """
    if typed.isdecimal() and 0 < int(typed) <= len(values):
        return values[int(typed) - 1]["value"]
    seat = find_seat(typed, players)
    small = f"player {seat + 1}" if isinstance(seat, int) else typed.casefold()
    names = [({str(each["value"]).casefold(), *(text.casefold() for text in each["says"].values())}, each["value"])
             for each in values]  # fmt: skip
    whole = [value for known, value in names if small in known]
    begun = [value for known, value in names if any(name.startswith(small) for name in known)]
    for found in (whole, begun):
        if len(found) == 1:
            return found[0]
    raise NoAnswer(typed)

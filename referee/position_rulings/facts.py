"""Facts that a position leaves out, as questions for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from referee.engine.codec import escape_name
from referee.engine.game import Game
from referee.engine.positions.left_out import Path
from referee.engine.positions.schema import BACK, Schema
from referee.engine.rulebook.book import LANGUAGES, Text
from referee.engine.rulings import MalformedInput
from referee.position_rulings.inquiry import Fact, Findings
from referee.position_rulings.labels import PositionWording
from referee.position_rulings.request import SEAT_LISTS
from referee.position_rulings.words import FACT_QUESTIONS, RULING_TEXTS, fill_text, render_text
from referee.rendering import texts

MOST_VALUES_LISTED = 60
ONE, SEVERAL, NUMBER = "one", "several", "number"  # what an answer is: a value, a list of values, any number of a range


class MissingFacts(MalformedInput):
    """A position leaves out facts that its ruling depends on.

    `facts` are all of them as data (`fact_response`), with pointers into the position.
    """

    def __init__(self, facts: list[dict[str, Any]]) -> None:
        self.facts = facts
        super().__init__([{"pointer": fact["pointer"], "detail": fact["asks"]["en"]} for fact in facts])


def fact_response(game: Game, fact: Fact) -> dict[str, Any]:
    """Return a fact that is asked for as data.

    `kind` says whether an answer is `one` of the values, a list of `several`, or a `number` from `least` to `most`.
    """
    kind, choices, schema = _find_choices(fact)
    values = [
        {"value": _keep_name(value), "says": describe_choice(game, fact, value, schema)}
        for value in choices[:MOST_VALUES_LISTED]
    ]
    limits = {"least": schema.get("minimum", 0), "most": schema.get("maximum", 0)} if kind == NUMBER else {}
    return {
        "pointer": render_pointer(fact.path),
        "asks": describe_question(game, fact),
        "kind": kind,
        **limits,
        "values": values,
        "fragment": {fact.member.name: _find_sample(fact)},
    }


def assumption_response(game: Game, fact: Fact) -> dict[str, Any]:
    """Return an assumed fact as data: its place, its value, and both in words."""
    usual = fact.usual if fact.is_defaulted else None
    holds = (
        {lang: PositionWording(game, lang).describe_value(usual) for lang in LANGUAGES}
        if fact.is_defaulted and "x-seat" not in fact.member.schema
        else describe_choice(game, fact, usual, fact.member.schema)
    )
    told = {
        lang: render_text(game, "assumed.told", place=describe_place(game, fact.path)[lang], holds=holds[lang])[lang]
        for lang in LANGUAGES
    }
    return {"pointer": render_pointer(fact.path), "value": usual, "told": told}


def indifferent_response(game: Game, fact: Fact) -> dict[str, Any]:
    """Return a fact that does not matter as data, with the value it was judged by."""
    value = fact.values[0]
    says = describe_choice(game, fact, value, fact.member.schema)
    asks = describe_question(game, fact)
    told = {lang: render_text(game, "as_if.told", asks=asks[lang], value=says[lang])[lang] for lang in LANGUAGES}
    return {"pointer": render_pointer(fact.path), "value": value, "told": told}


def open_fact_response(game: Game, fact: Fact) -> dict[str, Any]:
    """Return a fact that nobody knows as data, with the verdict of each value."""
    answers, seen = [], set()
    for value, answer in fact.answers:
        verdict = answer.verdict
        says = describe_choice(game, fact, value, fact.member.schema)
        if (says["en"], verdict) not in seen:
            seen.add((says["en"], verdict))
            answers.append({"value": value, "says": says, "verdict": verdict})
    return {
        "pointer": render_pointer(fact.path),
        "asks": describe_question(game, fact),
        "answers": answers[:MOST_VALUES_LISTED],
    }


def findings_response(game: Game, findings: Findings) -> dict[str, Any]:
    """Return what a ruling says of the facts that its position leaves out."""
    return {
        "assumed": [assumption_response(game, fact) for fact in findings.assumed],
        "as_if": [indifferent_response(game, fact) for fact in findings.beside],
        "open_facts": [open_fact_response(game, fact) for fact in findings.unknown],
    }


def render_pointer(path: Path) -> str:
    """Return the JSON pointer (RFC 6901) of a member."""
    return "".join(f"/{escape_name(str(part))}" for part in path)


def describe_place(game: Game, path: Path) -> Text:
    """Return in words where a member stands."""
    return {lang: ", ".join(_name_parts(PositionWording(game, lang), path)) for lang in LANGUAGES}


def _name_parts(words: PositionWording, path: Path) -> Iterator[str]:
    for at, part in enumerate(path):
        before = path[at - 1] if at else ""
        if isinstance(part, int):
            yield words.describe_seat(part) if before in SEAT_LISTS else f"{part + 1}."
        elif not (part in SEAT_LISTS and at < len(path) - 1):
            yield words.describe_member(part)


def describe_question(game: Game, fact: Fact) -> Text:
    """Return the question about a fact.

    It is that of its member, or else that of the rule that needs it.
    """
    seat = next((part for part in fact.path if isinstance(part, int)), 0)
    within = next((part for part in reversed(fact.path[:-1]) if isinstance(part, str)), "")
    for name in (f"{within}.{fact.member.name}", fact.member.name):
        if name in FACT_QUESTIONS:
            return fill_text(game, FACT_QUESTIONS[name], seat=seat)
    if fact.need is not None:
        return texts.render_text(game, fact.need.key, **fact.need.params)
    place = describe_place(game, fact.path)
    return {lang: render_text(game, "fact.asks", place=place[lang])[lang] for lang in LANGUAGES}


def describe_choice(game: Game, fact: Fact, value: Any, schema: Schema) -> Text:
    """Return a value of a fact in words.

    Players are called by number, cards by name, a question by its text.
    """
    if fact.path == ("question",) and f"asked.{value}" in RULING_TEXTS:
        return render_text(game, f"asked.{value}")
    if isinstance(value, Mapping) and "asks" in value:
        state = next((answer.state for each, answer in fact.answers if each == value and answer.state), None)
        if state is not None and state.agenda:
            asked: Text = texts.step_question_response(game, state.agenda[-1])["asks"]
            return asked
    if value is None:
        return render_text(game, "fact.over" if fact.path == ("question",) else "fact.nobody")
    is_seat = type(value) is int and _holds_seats(schema)
    wordings = {lang: PositionWording(game, lang) for lang in LANGUAGES}
    if isinstance(value, list) and _holds_seats(schema):
        return {
            lang: ", ".join(words.describe_seat(each) for each in value) or words.render_word("fact.nobody")
            for lang, words in wordings.items()
        }
    return {
        lang: words.describe_seat(value) if is_seat else words.describe_value(value) for lang, words in wordings.items()
    }


def _holds_seats(schema: Schema) -> bool:
    return any("x-seat" in each or "x-seat" in each.get("items", {}) for each in (schema, *schema.get("anyOf", ())))


def _find_choices(fact: Fact) -> tuple[str, list[Any], Schema]:
    """Return the kind of answer that a fact takes, the choices, and their schema."""
    options = fact.member.schema.get("anyOf", [fact.member.schema])
    lists = [option for option in options if option.get("type") == "array"]
    if lists and fact.path[-1] != "question":
        items = lists[0].get("items", {})
        if "enum" in items:
            return SEVERAL, [each for each in items["enum"] if not str(each).startswith(BACK)], items
        if "x-seat" in items:
            return SEVERAL, sorted({seat for value in fact.values for seat in value if type(seat) is int}), items
        if items.get("type") == "integer":
            return SEVERAL, [*range(items["minimum"], items["maximum"] + 1)][:MOST_VALUES_LISTED], items
    if len(options) == 1 and options[0].get("type") == "integer" and not fact.are_all:
        return NUMBER, [], options[0]
    return ONE, _list_distinct(fact.values), fact.member.schema


def _list_distinct(values: Iterable[Any]) -> list[Any]:
    """Return values; of the forms of one question only the first."""
    found: dict[str, Any] = {}
    for value in values:
        key = value["asks"] if isinstance(value, Mapping) and "asks" in value else repr(value)
        found.setdefault(key, value)
    return list(found.values())


def _keep_name(value: Any) -> Any:
    """Return a value to choose; of a question only its name.

    Nobody has said the rest of that question yet.
    """
    return {"asks": value["asks"]} if isinstance(value, Mapping) and "asks" in value else value


def _find_sample(fact: Fact) -> Any:
    """Return the value in the member to paste.

    It is what leaving it out means, or else a possible value.
    """
    if fact.is_defaulted:
        return fact.usual
    return _keep_name(fact.values[0]) if fact.values else None

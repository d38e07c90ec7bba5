"""The tools about a written position: a ruling, its moves, its cards."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import yaml

from referee.cli.assistants.answers import (
    Answer,
    UnanswerableError,
    choose_language,
    join_lines,
    render_json,
    render_section,
    require_game,
    say,
)
from referee.engine.game import Game
from referee.engine.rulebook.messages import fill_names
from referee.position_rulings import report
from referee.position_rulings.file_format import (
    FactsMissingError,
    QuestionFileError,
    apply_to_position,
    build_example,
    rule_on_file,
)
from referee.position_rulings.written_moves import list_askable_moves

NAME = "question"  # what errors call the data of a call, where a file has its name
MAX_MOVES = 60
MAX_VALUES = 40  # of a choice within a move


def judge_position(question: Mapping[str, Any], lang: str) -> Answer:
    """Return the ruling on a move in a written position.

    `question` has the members of a question file. Without a position it is answered with an example, without a move
    with the moves that one may ask about. Raises UnanswerableError with each member that is wrong.
    """
    game = require_game(str(question["game"]), lang)
    if "position" not in question:
        return show_example(game, question.get("variant"), lang)
    if "move" not in question:
        return list_moves(question, lang)
    names = _read_names(question)
    try:
        game, ruling = rule_on_file(_encode(question), NAME, None, (), lang)
    except FactsMissingError as missing:
        text = report.render_missing_facts(missing.game, missing.facts, lang) + "\n" + say("add_facts", lang)
        facts = [choose_language(fact, lang) for fact in missing.facts]
        return _name_players(Answer(text, {"status": "facts_missing", "missing": facts}), names)
    except QuestionFileError as wrong:
        raise _build_error(wrong, lang) from wrong
    named = _name_players(Answer("", {"status": "ruled", **_ruling_to_dict(ruling, lang)}), names)
    return Answer(report.render_plain_text(game, ruling, lang, with_position=False), named.data)


def show_example(game: Game, variant: Any, lang: str) -> Answer:
    """Return an example of a position with a dispute about a move.

    Raises UnanswerableError if the game has no such variant.
    """
    if variant is not None and variant not in game.variants:
        raise UnanswerableError(say("no_variant", lang, variant=str(variant), known=", ".join(game.variants)))
    example = build_example(game, variant or game.variants[0], lang)
    kinds = [
        {"type": kind.TAG, "says": game.narration.describe_move_kind(kind)[lang], "clauses": list(kind.clauses)}
        for kind in game.move_types
    ]
    lines = [say("example", lang, game=game.title[lang], variants=", ".join(game.variants)), ""]
    lines += [line for line in example.splitlines() if not line.startswith("#")]
    lines += render_section(say("kinds", lang), (f"{each['type']}: {each['says']}" for each in kinds))
    data = {"status": "example", "example": yaml.safe_load(example), "variants": list(game.variants), "kinds": kinds}
    return Answer(join_lines(lines), data)


def list_moves(question: Mapping[str, Any], lang: str) -> Answer:
    """Return the moves that one may ask about in a position, legal or not.

    If the question names a seat, they are that seat's. Raises UnanswerableError.
    """
    try:
        _, found = apply_to_position(_encode(question), NAME, list_askable_moves, lang)
    except QuestionFileError as wrong:
        raise _build_error(wrong, lang) from wrong
    seats = [each for each in found["moves"] if question.get("seat") in (None, each["seat"])]
    moves = [*_iterate_moves(seats, lang)]
    asks = "" if found["question"] is None else found["question"]["asks"][lang]
    lines = [say("choose_move", lang, asks=asks, count=len(moves))]
    for each in moves[:MAX_MOVES]:
        lines.append(f"- {say('seat', lang, seat=each['seat'])}: {each['says']} {render_json(each['move'])}")
        lines += (f"  {choice['field']}: {', '.join(map(str, choice['values']))}" for choice in each["choices"])
    data = {"status": "choose_move", "asks": asks or None, "awaits": found["awaits"], "moves": moves[:MAX_MOVES]}
    return _name_players(Answer(join_lines(lines), data), _read_names(question))


def count_position(question: Mapping[str, Any], lang: str) -> Answer:
    """Return whether the cards of a written position can lie as it says.

    Raises UnanswerableError.
    """

    def count(game: Game, position: dict[str, Any]) -> dict[str, Any]:
        return game.positions.check_census(game.positions.read_names(position))

    try:
        game, found = apply_to_position(_encode(question), NAME, count, lang)
    except QuestionFileError as wrong:
        raise _build_error(wrong, lang) from wrong
    against = [
        {
            "card": each.get("card"),
            "clause": each["clause"],
            "says": each["says"][lang] if "says" in each else str(each.get("detail", "")),
        }
        for each in found["contradictions"]
    ]
    recounts = [{"place": each["pointer"], "says": each["says"][lang]} for each in found["recounts"]]
    cited = dict.fromkeys(each["clause"] for each in against)
    clauses = [{"id": name, "says": game.rulebook.find_clause(name).says[lang]} for name in cited]
    data = {"possible": found["possible"], "contradictions": against, "recounts": recounts, "clauses": clauses}
    return Answer(join_lines(render_census(data, lang)), data)


def render_census(data: Mapping[str, Any], lang: str) -> Iterator[str]:
    """Yield the lines of a census, of a position or of a match."""
    yield say("census.possible" if data["possible"] else "census.impossible", lang)
    yield from (f"- {each['says']} ({each['clause']})" for each in data["contradictions"])
    yield from render_section(say("census.recounts", lang), (each["says"] for each in data["recounts"]))
    yield from render_section(say("clauses", lang), (f"{each['id']}: {each['says']}" for each in data["clauses"]))


def _encode(question: Mapping[str, Any]) -> bytes:
    return json.dumps(question).encode()


def _read_names(question: Mapping[str, Any]) -> dict[int, str]:
    names = question.get("names")
    return dict(enumerate(map(str, names))) if isinstance(names, list) else {}


def _name_players(answer: Answer, names: Mapping[int, str]) -> Answer:
    """Return an answer in which the players are called by their names."""

    def name(value: Any) -> Any:
        if isinstance(value, str):
            return fill_names(value, names)
        if isinstance(value, Mapping):
            return {key: name(each) for key, each in value.items()}
        return [name(each) for each in value] if isinstance(value, list) else value

    return Answer(name(answer.text), name(answer.data)) if names else answer


def _build_error(wrong: QuestionFileError, lang: str) -> UnanswerableError:
    """Return the errors of a question, each with its member; a call has no lines."""
    lines = [f"{error['pointer'] or '/'}: {error['detail']}" for error in wrong.errors]
    return UnanswerableError(join_lines([say("not_judged", lang), *lines]))


def _iterate_moves(seats: Iterable[Mapping[str, Any]], lang: str) -> Iterator[dict[str, Any]]:
    """Yield the moves of seats; those that leave a choice come last, with it."""
    for each in seats:
        for listed in each["listed"]:
            says = listed["told"][lang] if listed["told"] else listed["move"]["type"]
            yield {"seat": each["seat"], "says": says, "move": listed["move"], "choices": []}
    for each in seats:
        for picker in each["pickers"]:
            choices = [
                {"field": choice["field"], "values": [*choice["values"][:MAX_VALUES]]} for choice in picker["choices"]
            ]
            yield {"seat": each["seat"], "says": picker["says"][lang], "move": picker["move"], "choices": choices}


def _ruling_to_dict(ruling: Mapping[str, Any], lang: str) -> dict[str, Any]:
    """Return a ruling in one language, without the position that was asked about."""
    found = choose_language(ruling, lang)
    return {
        "verdict": found["verdict"],
        "spoken": found["aloud"],
        "reason": found["reason"],
        "clauses": [{name: each[name] for name in ("id", "says", "found")} for each in found["clauses"]],
        "instead": [{"move": each["move"], "says": each["because"]} for each in found["way_out"]],
        "follows": [each["told"] for each in found["events"] if each["told"]],
        "next": found["next"],
        "after": found["after"],
        "needs": [each["asks"] for each in found["needs"]],
        "readings": found["rests_on"],
        "assumed": [each["told"] for each in found["assumed"]],
        "quarrel": found["quarrel"],
    }

"""What is wrong with written data, in the language of the reader."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from referee.engine.game import Game
from referee.match.rulebook import TABLE_BOOK
from referee.rendering import quoting, texts

MAX_RULE = 500  # letters of a clause that stands for a detail


def translate_errors(game: Game | None, errors: Iterable[Mapping[str, Any]], lang: str) -> list[dict[str, Any]]:
    """Return errors with their details in a language.

    `says` of an error holds its detail in all languages. A contradiction that has English only is told by the clause
    that it breaks; `input_errors.py` has the German of what is wrong with the form of data.
    """
    return [{**_leave_out_texts(each), "detail": _translate_detail(game, each, lang)} for each in errors]


def _leave_out_texts(error: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in error.items() if name != "says"}


def _translate_detail(game: Game | None, error: Mapping[str, Any], lang: str) -> str:
    if "says" in error:
        return str(error["says"][lang])
    if lang == "en" or not error.get("clause"):
        return str(error["detail"])
    clause = texts.find_clause(game, error["clause"])
    rule = quoting.quote_clause(clause, MAX_RULE)[lang]
    return TABLE_BOOK.render_text("position.against_clause", lang, clause=clause.id, rule=rule)

"""Where an error stands in the body of a request about a written position."""

from __future__ import annotations

from typing import Any

from flask import g

from referee.position_rulings.plain_words.renaming import find_written_pointer


def locate_error(wrong: dict[str, Any]) -> dict[str, Any]:
    """Return an error in a position with its pointer into the body."""
    is_beside = wrong["pointer"].split("/")[1:2] in ([name] for name in g.get("beside", ()))
    return wrong if is_beside else {**wrong, "pointer": f"/position{wrong['pointer']}"}


def locate_as_written(error: dict[str, Any]) -> dict[str, Any]:
    """Return an error with its pointer into the body as the client wrote it.

    The body may have words in place of the names of the program (`read_question_words`).
    """
    if "words" not in g or "in" in error:
        return error
    return {**error, "pointer": find_written_pointer(g.words, error["pointer"])}

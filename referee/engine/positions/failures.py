"""What happens if the rules fail on a written position unforeseen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from referee.engine.positions.form import build_error
from referee.engine.rulings import MalformedInput, Undetermined, UnjudgeablePosition

DETAIL = (
    "the rules fail at this question as it is written: some part of it, or of the steps beneath it, does not fit the "
    "table"
)


@contextmanager
def blame_question() -> Iterator[None]:
    """Raise UnjudgeablePosition, with its cause, if rules fail on a position.

    Raises MalformedInput if all that they lack is something that the position leaves out.

    A position may carry steps as the referee stores them, and may contradict itself in ways that no check knows. The
    answer to that is an error at the question, and the cause in the log.
    """
    try:
        yield
    except MalformedInput:
        raise
    except Undetermined as unknown:
        detail = f"the position leaves out what this question needs: {unknown.need.key}"
        raise MalformedInput([build_error("/question", detail)]) from unknown
    except Exception as failure:
        raise UnjudgeablePosition([build_error("/question", DETAIL)]) from failure

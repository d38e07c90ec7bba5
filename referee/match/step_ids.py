"""Ids of the steps on an agenda; they name the windows.

The id of a step is the place (`n.k`) of the event that put it there.
"""

from __future__ import annotations

from referee.engine.steps import Step


def trace_step_ids(
    opened: tuple[str, ...], before: tuple[Step, ...], after: tuple[Step, ...], place: str
) -> tuple[str, ...]:
    """Return the ids of the steps after an event at `place`.

    A step that stays keeps its id. If the top step is of another kind, it gets a new one.
    """
    more = len(after) - len(before)
    if more > 0:
        return (*opened, *(place,) * more)
    if more == 0 and after and type(after[-1]) is not type(before[-1]):
        return (*opened[:-1], place)
    return opened[: len(after)]


def rebuild_step_ids(
    opened: tuple[str, ...], before: tuple[Step, ...], after: tuple[Step, ...], place: str
) -> tuple[str, ...]:
    """Return the ids of the steps after an event replaced the whole table.

    The steps at the bottom keep their ids as long as their kinds match. Only the kinds are compared, because the name
    of a window must not reveal what a step hides.
    """
    same = 0
    while same < min(len(before), len(after)) and type(before[same]) is type(after[same]):
        same += 1
    return (*opened[:same], *(place,) * (len(after) - same))

"""Which event laid each step of an agenda there, by the place of the event in the log (`n.k`): windows are named so."""

from __future__ import annotations

from referee.engine.steps import Step


def trace_step_ids(
    opened: tuple[str, ...], before: tuple[Step, ...], after: tuple[Step, ...], place: str
) -> tuple[str, ...]:
    """Which event laid each step of an agenda there: a step that goes on keeps its name, another kind has a new one."""
    more = len(after) - len(before)
    if more > 0:
        return (*opened, *(place,) * more)
    if more == 0 and after and type(after[-1]) is not type(before[-1]):
        return (*opened[:-1], place)
    return opened[: len(after)]


def rebuild_step_ids(
    opened: tuple[str, ...], before: tuple[Step, ...], after: tuple[Step, ...], place: str
) -> tuple[str, ...]:
    """As `trace_step_ids`, where a whole table was laid: the steps at the bottom that are of the kinds they were keep
    their names. Only the kinds are looked at: what a step hides must not tell in the name of a window."""
    same = 0
    while same < min(len(before), len(after)) and type(before[same]) is type(after[same]):
        same += 1
    return (*opened[:same], *(place,) * (len(after) - same))

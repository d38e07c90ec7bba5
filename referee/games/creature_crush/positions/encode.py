"""The question of a table as a position says it, and what waits beneath: the other half of `questions`.

A short form is proposed for the open step, and taken only if it reads back to the very same steps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.cardscript.positions.steps import Said, written_question
from referee.cardscript.questions import Choosing
from referee.engine.steps import Step
from referee.games.creature_crush.components import HANDS
from referee.games.creature_crush.positions import plain, texts
from referee.games.creature_crush.positions.questions.codec import bottom, built
from referee.games.creature_crush.positions.questions.happened import (
    known_to_links,
    written_effect,
    written_happening,
    written_window,
)
from referee.games.creature_crush.rules.actions.searching import Searching
from referee.games.creature_crush.rules.actions.summoning import Placing
from referee.games.creature_crush.rules.chain import Chain, Ordering
from referee.games.creature_crush.rules.combat.rerolling import Rerolling, RollAgain
from referee.games.creature_crush.rules.drawing import Naming
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.texts.selecting import ChoosingSome, DrawTargets, RollForTarget
from referee.games.creature_crush.values import Happening


def written_agenda(table: Table) -> Said:
    """The members `question` and `pending_steps` of a position; the latter not where all is as usual."""
    return written_question(table, PROPOSALS, built, bottom)


# ---- proposals -------------------------------------------------------------------------------------------------------


def _bare(happening: Happening) -> Happening:
    return Happening(happening.kind, happening.by, happening.refs)


def _order(table: Table, top: Ordering) -> Said:
    bare = _bare(top.happening)
    said: Said = {"asks": "order", **written_happening(table, top.happening)}
    if top.left != top.happening.effects:
        said["left"] = [written_effect(table, each, bare) for each in top.left]
    if top.chosen:
        said["chosen"] = [written_effect(table, each, bare) for each in top.chosen]
    return said


def _respond(table: Table, top: Chain) -> Said:
    if not top.windows:
        return {}
    first = top.windows[0].happening
    said: Said = {"asks": "respond", "windows": [written_window(table, each) for each in top.windows]}
    if top.links != first.effects[::-1]:
        said["links"] = [written_effect(table, each, known_to_links(first)) for each in top.links]
    return said


def _naming(_: Table, top: Naming) -> Said:
    place = {} if top.place == HANDS[top.seat] else {"place": top.place}
    return {"asks": "name_cards", "seat": top.seat, "count": top.count, **place}


PROPOSALS: dict[type[Step], Callable[[Table, Any], Said]] = {
    **plain.PROPOSALS,
    Ordering: _order,
    Chain: _respond,
    Naming: _naming,
    Choosing: lambda table, _: texts.written("choose", table),
    ChoosingSome: lambda table, top: texts.written("choose_some", table, count=top.count),
    DrawTargets: lambda table, top: texts.written("at_random", table, count=top.count),
    RollForTarget: lambda table, _: texts.written("target_dice", table),
    Placing: lambda table, top: texts.written("place", table, creature=top.creature),
    Searching: lambda table, _: texts.written("search", table),
    Rerolling: lambda table, _: texts.written("reroll", table),
    RollAgain: lambda table, top: texts.written("roll_again", table, dice=list(top.before)),
}

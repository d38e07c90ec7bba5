"""Write the question of a table for a position: the opposite of `questions`.

A short form is proposed for the open step. It is used only if it reads back to exactly the same steps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.cardscript.positions.steps import JsonObject, encode_question
from referee.cardscript.questions import ChoicePrompt
from referee.engine.steps import Step
from referee.games.creature_crush.components import HANDS
from referee.games.creature_crush.positions import plain, texts
from referee.games.creature_crush.positions.questions.codec import build_base_steps, build_steps
from referee.games.creature_crush.positions.questions.happened import (
    encode_effect,
    encode_trigger_event,
    encode_window,
    find_chain_cause,
)
from referee.games.creature_crush.rules.actions.searching import Searching
from referee.games.creature_crush.rules.actions.summoning import Placing
from referee.games.creature_crush.rules.chain import Chain, EffectOrdering
from referee.games.creature_crush.rules.combat.rerolling import Rerolling, RollAgain
from referee.games.creature_crush.rules.drawing import CardNaming
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.texts.selecting import ChoosingSome, DrawTargets, RollForTarget
from referee.games.creature_crush.values import TriggerEvent


def encode_agenda(table: Table) -> JsonObject:
    """Return the members `question` and `pending_steps` of a position.

    The latter is left out if the pending steps are the usual ones.
    """
    return encode_question(table, PROPOSALS, build_steps, build_base_steps)


# ---- proposals -------------------------------------------------------------------------------------------------------


def _strip_effects(happening: TriggerEvent) -> TriggerEvent:
    return TriggerEvent(happening.kind, happening.by, happening.refs)


def _encode_order(table: Table, top: EffectOrdering) -> JsonObject:
    bare = _strip_effects(top.happening)
    said: JsonObject = {"asks": "order", **encode_trigger_event(table, top.happening)}
    if top.left != top.happening.effects:
        said["left"] = [encode_effect(table, each, bare) for each in top.left]
    if top.chosen:
        said["chosen"] = [encode_effect(table, each, bare) for each in top.chosen]
    return said


def _encode_response(table: Table, top: Chain) -> JsonObject:
    if not top.windows:
        return {}
    first = top.windows[0].happening
    said: JsonObject = {"asks": "respond", "windows": [encode_window(table, each) for each in top.windows]}
    if top.links != first.effects[::-1]:
        said["links"] = [encode_effect(table, each, find_chain_cause(first)) for each in top.links]
    return said


def _encode_naming(_: Table, top: CardNaming) -> JsonObject:
    place = {} if top.place == HANDS[top.seat] else {"place": top.place}
    return {"asks": "name_cards", "seat": top.seat, "count": top.count, **place}


PROPOSALS: dict[type[Step], Callable[[Table, Any], JsonObject]] = {
    **plain.PROPOSALS,
    EffectOrdering: _encode_order,
    Chain: _encode_response,
    CardNaming: _encode_naming,
    ChoicePrompt: lambda table, _: texts.encode_question("choose", table),
    ChoosingSome: lambda table, top: texts.encode_question("choose_some", table, count=top.count),
    DrawTargets: lambda table, top: texts.encode_question("at_random", table, count=top.count),
    RollForTarget: lambda table, _: texts.encode_question("target_dice", table),
    Placing: lambda table, top: texts.encode_question("place", table, creature=top.creature),
    Searching: lambda table, _: texts.encode_question("search", table),
    Rerolling: lambda table, _: texts.encode_question("reroll", table),
    RollAgain: lambda table, top: texts.encode_question("roll_again", table, dice=list(top.before)),
}

"""Encode the open question and the steps beneath: the inverse of `question_codec`.

A short form is proposed for the open step, and is used only if it decodes to the very same steps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.positions.steps import JsonObject, Steps, encode_steps
from referee.cardscript.questions import ChoicePrompt, LookPrompt, OfferPrompt, SimultaneousPrompt
from referee.engine.chance import Shuffle
from referee.engine.codec import DecodeError, encode
from referee.engine.rulings import Undetermined
from referee.engine.steps import Step
from referee.games.here_to_slay.events.plays import UnsettledRolls
from referee.games.here_to_slay.positions.question_codec import (
    UndeterminedQuestion,
    build_question_steps,
    build_steps_beneath,
)
from referee.games.here_to_slay.positions.rolls import encode_roll
from referee.games.here_to_slay.rules.attacking import MonsterTurnUp
from referee.games.here_to_slay.rules.drawing import HandNaming, Pulling
from referee.games.here_to_slay.rules.effect_frames import EffectFrame, OrderTriggers
from referee.games.here_to_slay.rules.hands import (
    CardKindPrompt,
    DeckTopOrdering,
    SimultaneousDiscard,
    SimultaneousGift,
)
from referee.games.here_to_slay.rules.hero_removal import ChooseSacrifice, ReplacementOffer
from referee.games.here_to_slay.rules.playing import ChallengeWindow, EquipChoice, FreeRoll
from referee.games.here_to_slay.rules.rolling import ModifierWindow, Throw
from referee.games.here_to_slay.rules.setup import FirstPickRoll, PickLeaders
from referee.games.here_to_slay.rules.turn import Turn
from referee.games.here_to_slay.state import Table


def encode_agenda(table: Table) -> JsonObject:
    """Return the members `question` and `pending_steps` of a position.

    `pending_steps` is left out if it is as usual.
    """
    if not table.agenda:
        return {"question": None}
    top = table.agenda[-1]
    if isinstance(top, UndeterminedQuestion):
        form: JsonObject = {"question": top.said} if top.said else {}
        return form | ({"pending_steps": encode_steps(table.agenda[:-1])} if table.agenda[:-1] else {})
    for propose in PROPOSALS.get(type(top), ()):
        form = propose(table, top)
        if form and (found := _try_build_steps(form, table)) is not None and _ends_with(table.agenda, found):
            rest = table.agenda[: len(table.agenda) - len(found)]
            usual = rest == build_steps_beneath(table, found)
            return {"question": form} | ({} if usual else {"pending_steps": encode_steps(rest)})
    usual = table.agenda[:-1] == build_steps_beneath(table, (top,))
    return {"question": encode(top)} | ({} if usual else {"pending_steps": encode_steps(table.agenda[:-1])})


def _try_build_steps(form: JsonObject, table: Table) -> Steps | None:
    """Return the steps that a proposed short form stands for, or None."""
    try:
        return build_question_steps(form, table)
    except (DecodeError, Undetermined):
        return None


def _ends_with(agenda: Steps, steps: Steps) -> bool:
    return agenda[-len(steps) :] == steps


# ---- proposals -------------------------------------------------------------------------------------------------------


def _encode_text_question(asks: str, table: Table, **more: Any) -> JsonObject:
    """Return a question on top of a text, or an empty object if no text lies beneath."""
    text = table.agenda[-2] if len(table.agenda) > 1 else None
    if not isinstance(text, Execution) or text.at < 1:
        return {}
    form = {"asks": asks, **more, **_encode_text(text, text.at - 1)}
    if "seat" in form and form["seat"] == form["by"]:
        del form["by"]
    return form


def _encode_text(text: Execution, line: int) -> JsonObject:
    form: JsonObject = {"card": text.card, "part": text.text, "by": text.by, "line": line}
    known = {name: list(given) for name, given in text.bound.items() if name not in ("me", "this")}
    if known:
        form["known"] = known
    return form | ({"secret": list(text.secret)} if text.secret else {})


def _encode_choice(table: Table, top: ChoicePrompt) -> JsonObject:
    text = table.agenda[-2] if len(table.agenda) > 1 else None
    if isinstance(text, Execution) and text.declaring:
        roll = table.agenda[-4] if len(table.agenda) > 3 else None
        if not isinstance(roll, UnsettledRolls):
            return {}
        form = {"asks": "target", "roll": encode_roll(roll), **_encode_text(text, text.at - 1)}
        return {name: value for name, value in form.items() if name not in ("card", "part", "by")}
    return _encode_text_question("choose", table, seat=top.seat)


def _make_together_encoder(asks: str) -> Callable[[Table, SimultaneousPrompt], JsonObject]:
    def propose(table: Table, top: SimultaneousPrompt) -> JsonObject:
        given = {seat: list(cards) for seat, cards in top.given.items()}
        return _encode_text_question(asks, table, seats=list(top.waiting), **({"given": given} if given else {}))

    return propose


def _encode_modifier_window(table: Table, top: ModifierWindow) -> JsonObject:
    roll = table.agenda[-2] if len(table.agenda) > 1 else None
    return (
        {"asks": "modifiers", "roll": encode_roll(roll), **_encode_passed(top)}
        if isinstance(roll, UnsettledRolls)
        else {}
    )


def _encode_passed(step: ModifierWindow | ChallengeWindow) -> JsonObject:
    return {"passed": list(step.passed)} if step.passed else {}


def _encode_die_throw(table: Table, top: Throw) -> JsonObject:
    roll = next((step for step in reversed(table.agenda) if isinstance(step, UnsettledRolls)), None)
    if roll is None:
        return {}
    form: JsonObject = {"asks": "dice", "roll": encode_roll(roll)}
    return form if top.mark or top.kind != "hero" else form | {"marks": False}


def _encode_challenge_window(_: Table, top: ChallengeWindow) -> JsonObject:
    called = {"called": top.called} if top.called else {}
    return {"asks": "challenge", "seat": top.seat, "card": top.card, **called, **_encode_passed(top)}


def _encode_pull(table: Table, top: Pulling) -> JsonObject:
    before = {} if top.before == table.cards_in_hand(top.seat) else {"before": list(top.before)}
    return _encode_text_question("pull", table, seat=top.seat, of=top.of, count=max(top.count, 1), **before)


def _encode_replacement_offer(table: Table, top: ReplacementOffer) -> JsonObject:
    return _encode_text_question("instead", table, seat=top.seat, hero=top.hero, use=top.card)


def _encode_next_trigger(table: Table, top: OrderTriggers) -> JsonObject:
    frame = table.agenda[-2] if len(table.agenda) > 1 else None
    if not isinstance(frame, EffectFrame):
        return {}
    texts = [_encode_text(step, step.at) for step in frame.noted if isinstance(step, Execution)]
    return {"asks": "next_trigger", "seat": top.seat, "texts": texts}


def _encode_first_pick(_: Table, top: FirstPickRoll) -> JsonObject:
    return {"asks": "first_pick", "contenders": list(top.contenders), "cast": list(top.cast)}


PROPOSALS: dict[type[Step], tuple[Callable[[Table, Any], JsonObject], ...]] = {
    Turn: (lambda _, top: {"asks": "act", "seat": top.seat},),
    ChallengeWindow: (_encode_challenge_window,),
    ModifierWindow: (_encode_modifier_window,),
    Throw: (_encode_die_throw,),
    ChoicePrompt: (_encode_choice,),
    FreeRoll: (lambda _, top: {"asks": "free_roll", "seat": top.seat, "hero": top.hero},),
    EquipChoice: (lambda _, top: {"asks": "equip", "seat": top.seat, "item": top.item},),
    OfferPrompt: (lambda table, top: _encode_text_question("offer", table, seat=top.seat),),
    SimultaneousDiscard: (_make_together_encoder("discard"), lambda _, top: {"asks": "redraw", "seat": top.waiting[0]}),
    ChooseSacrifice: (_make_together_encoder("sacrifice"),),
    SimultaneousGift: (_make_together_encoder("give"),),
    LookPrompt: (lambda table, top: _encode_text_question("look", table, seat=top.seat, cards=list(top.cards)),),
    DeckTopOrdering: (
        lambda table, top: _encode_text_question("put_back", table, seat=top.seat, cards=list(top.cards)),
    ),
    CardKindPrompt: (lambda table, top: _encode_text_question("tell", table, seat=top.seat),),
    ReplacementOffer: (_encode_replacement_offer,),
    Pulling: (_encode_pull,),
    OrderTriggers: (_encode_next_trigger,),
    MonsterTurnUp: (lambda _, top: {"asks": "turn_up", "count": top.count},),
    Shuffle: (lambda _, top: {"asks": "shuffle", "where": top.where},),
    HandNaming: (lambda _, top: {"asks": "name_cards", "seat": top.seat, "count": top.count},),
    PickLeaders: (lambda _, top: {"asks": "pick_leader", "order": list(top.order), "at_once": top.at_once},),
    FirstPickRoll: (_encode_first_pick,),
}

"""Encoding of the open question and of the pending steps.

It is the inverse of `question_codec`. A short form is proposed for the open step. It is used only if it decodes to
exactly the same steps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.positions.steps import JsonObject, encode_question
from referee.cardscript.questions import ChoicePrompt, OfferPrompt
from referee.engine.chance import Shuffle
from referee.engine.steps import Step
from referee.games.munchkin.components import HANDS
from referee.games.munchkin.positions.question_codec import build_question_steps, build_steps_beneath
from referee.games.munchkin.positions.texts import bind_ambient_names
from referee.games.munchkin.rules.cards.cursing import CurseStrike, CurseWindow
from referee.games.munchkin.rules.combat.fighting import Fight
from referee.games.munchkin.rules.combat.fleeing import Fleeing
from referee.games.munchkin.rules.combat.rewards import Sharing
from referee.games.munchkin.rules.combat.rolling import AfterRoll, Throw
from referee.games.munchkin.rules.drawing import HandNaming, TurnUpTreasures
from referee.games.munchkin.rules.dying import Looting
from referee.games.munchkin.rules.hands import DiscardHand
from referee.games.munchkin.rules.items.claiming import ClaimWindow
from referee.games.munchkin.rules.items.item_loss import LoseItems, PayWorth
from referee.games.munchkin.rules.opening_doors import OpenDoor
from referee.games.munchkin.rules.setup import CastForStart, Preparing
from referee.games.munchkin.rules.turn import Calm, KeepOne
from referee.games.munchkin.state import Table
from referee.games.munchkin.values import NOBODY


def encode_agenda(table: Table) -> JsonObject:
    """Return the members `question` and `pending_steps` of a position.

    `pending_steps` is left out if the steps are the usual ones.
    """
    return encode_question(table, PROPOSALS, build_question_steps, build_steps_beneath)


# ---- proposals -------------------------------------------------------------------------------------------------------


def _encode_text_question(asks: str, table: Table, seat: int, **more: Any) -> JsonObject:
    """Return the short form of a question on top of a card text, or {}."""
    text = table.agenda[-2] if len(table.agenda) > 1 else None
    if not isinstance(text, Execution) or text.at < 1:
        return {}
    form: JsonObject = {"asks": asks, "card": text.card, "part": text.text, "by": text.by, "line": text.at - 1, **more}
    if seat != text.by:
        form["seat"] = seat
    before = bind_ambient_names(table, text.card, text.by)
    known = {name: list(given) for name, given in text.bound.items() if before.get(name) != given}
    known |= {name: [] for name in before if name not in text.bound}
    form |= {"known": known} if known else {}
    return form | ({"secret": list(text.secret)} if text.secret else {})


def _encode_die_throw(table: Table, top: Throw) -> JsonObject:
    if top.called:
        return _encode_text_question("die", table, top.seat)
    return {"asks": "flight_die", "seat": top.seat, "monster": top.card}


def _encode_fallen_die(table: Table, top: AfterRoll) -> JsonObject:
    if top.called:
        return _encode_text_question("die_fell", table, top.seat, value=top.value)
    return {"asks": "flight_die_fell", "seat": top.seat, "monster": top.card, "value": top.value}


def _encode_curse_window(table: Table, top: CurseWindow) -> JsonObject:
    strikes = table.agenda[-2] if len(table.agenda) > 1 else None
    by = strikes.by if isinstance(strikes, CurseStrike) else NOBODY
    form: JsonObject = {"asks": "curse", "card": top.card, "victim": top.victim}
    return form if by == NOBODY else {**form, "by": by}


def _encode_keep_one(table: Table, top: KeepOne) -> JsonObject:
    drawn = list(table.zones.get(HANDS[top.seat], ()))
    for card in top.before:
        if card not in drawn:
            return {}
        drawn.remove(card)
    return {"asks": "keep_one", "seat": top.seat, "drawn": drawn}


def _encode_item_loss(table: Table, top: LoseItems) -> JsonObject:
    chosen = {} if top.by == top.seat else {"chosen_by": top.by}
    count = {"count": top.count} if top.count > 0 else {}
    return _encode_text_question("lose_items", table, top.seat, **chosen, **count)


def _encode_hand_discard(table: Table, top: DiscardHand) -> JsonObject:
    return _encode_text_question("discard", table, top.seat, **({"count": top.count} if top.count > 0 else {}))


def _encode_start_roll(_: Table, top: CastForStart) -> JsonObject:
    return {"asks": "first_turn", "contenders": list(top.contenders), "cast": list(top.cast)}


PROPOSALS: dict[type[Step], Callable[[Table, Any], JsonObject]] = {
    Calm: lambda _, top: {"asks": "calm", "seat": top.seat, "stage": top.stage},
    Fight: lambda _, __: {"asks": "fight"},
    ClaimWindow: lambda _, top: {"asks": "claim", **({"passed": list(top.passed)} if top.passed else {})},
    Fleeing: lambda _, top: {"asks": "flee", **({"begun": True} if top.begun else {})},
    Throw: _encode_die_throw,
    AfterRoll: _encode_fallen_die,
    CurseWindow: _encode_curse_window,
    Sharing: lambda _, top: {"asks": "share", "order": list(top.order)},
    Looting: lambda _, top: {"asks": "take", "of": top.seat, "order": list(top.order or ())},
    KeepOne: _encode_keep_one,
    ChoicePrompt: lambda table, top: _encode_text_question("choose", table, top.seat),
    OfferPrompt: lambda table, top: _encode_text_question("offer", table, top.seat),
    LoseItems: _encode_item_loss,
    PayWorth: lambda table, top: _encode_text_question("pay", table, top.seat, owed=top.owed),
    DiscardHand: _encode_hand_discard,
    OpenDoor: lambda _, top: {"asks": "open_door", "seat": top.seat},
    TurnUpTreasures: lambda _, top: {"asks": "turn_up", "count": top.count},
    Shuffle: lambda _, top: {"asks": "shuffle", "where": top.where},
    HandNaming: lambda _, top: {"asks": "name_cards", "seat": top.seat, "count": top.count},
    Preparing: lambda _, top: {"asks": "ready", **({"ready": list(top.ready)} if top.ready else {})},
    CastForStart: _encode_start_roll,
}

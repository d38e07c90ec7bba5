"""Trigger events and waiting effects as a position writes them.

An effect is written with what it knows beyond what every activated text of its card would know. An event is written
with its effects only if they are not those that follow from the cards it is about.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.language.primitives import Values
from referee.cardscript.positions.bindings import decode_bindings, encode_bindings
from referee.cardscript.positions.steps import build_card_check
from referee.engine.codec import DecodeError, escape_name
from referee.engine.positions.questions import Form, Steps
from referee.games.creature_crush.components import SEATS, find_box_cards
from referee.games.creature_crush.rules.activating import (
    activate_text,
    activate_texts,
    watch_arrival,
    watch_deaths,
    watch_end,
    watch_flip,
    watch_start,
)
from referee.games.creature_crush.rules.chain import Chain, EffectOrdering, ResponseWindow
from referee.games.creature_crush.rules.combat.flipping import find_named_cards
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import NOBODY, TriggerEvent

TRIGGER_KINDS: dict[str, tuple[str, ...]] = {  # the kinds of events, and what each has to be about
    "attack": ("attacker", "defender"), "direct_attack": ("attacker",), "placed": ("summoned",), "destroyed": (),
    "put": ("card",), "direct_done": ("attacker",), "flipped": ("flipped",), "start": (),
    "end": (),
}  # fmt: skip
Effects = tuple[Execution, ...]


def decode_seat(said: Form, table: Table, name: str = "seat", pointer: str = "/question") -> int:
    """Return the seat that a form names, or the player on turn. Raises DecodeError."""
    if name in said:
        return int(said[name])
    if table.turn == NOBODY:
        raise DecodeError(f"{pointer}/{name}", "is missing: no turn has begun, so this has no default")
    return table.turn


# ---- effects ---------------------------------------------------------------------------------------------------------


def collect_text_bindings(
    table: Table, card: str, text: str, by: int, happening: TriggerEvent | None = None
) -> Mapping[str, Values]:
    """Return what a text of a card knows if it is activated now, by this event."""
    return activate_text(table, card, text, by, find_named_cards(happening, by)).bound


def decode_effect(said: Form, table: Table, happening: TriggerEvent | None = None) -> Execution:
    """Return the effect that a form stands for."""
    card, text, by = said["card"], said["part"], decode_seat(said, table, "by")
    bound = decode_bindings(said, collect_text_bindings(table, card, text, by, happening))
    return Execution(card, text, by, said.get("line", 0), bound, tuple(said.get("secret", ())))


def encode_effect(table: Table, text: Execution, happening: TriggerEvent | None = None) -> Form:
    """Return the form of an effect."""
    said: Form = {"card": text.card, "part": text.text, "by": text.by}
    said |= {"line": text.at} if text.at else {}
    return said | encode_bindings(text, collect_text_bindings(table, text.card, text.text, text.by, happening))


def decode_effects(said: list[Form], table: Table, happening: TriggerEvent | None = None) -> Effects:
    """Return the effects that forms stand for."""
    return tuple(decode_effect(each, table, happening) for each in said)


def collect_usual_effects(table: Table, kind: str, by: int, refs: Mapping[str, tuple[str, ...]]) -> Effects:
    """Return the effects that follow from an event and the cards it is about."""
    names = {name: cards[0] for name, cards in refs.items() if cards and "/" not in name}
    match kind:
        case "attack" if {"attacker", "defender"} <= names.keys():
            cards = [(names["attacker"], "attacks", by), (names["defender"], "attacked", 1 - by)]
            return activate_texts(table, cards, **names)
        case "destroyed":
            victims = [(card, "hell", seat) for seat in SEATS for card in refs.get(f"victim/{seat}", ())]
            return (
                *activate_texts(table, victims),
                *watch_deaths(table, {seat: refs.get(f"victim/{seat}", ()) for seat in SEATS}),
            )
        case "placed" if "summoned" in names:
            return watch_arrival(table, names["summoned"], by)
        case "put":
            return activate_texts(table, [(card, "trap", by) for card in refs.get("card", ())])
        case "start":
            return watch_start(table, by)
        case "end":
            return watch_end(table, by)
        case "flipped" if "flipped" in names:
            return watch_flip(table, names["flipped"], by)
    return ()


# ---- events ----------------------------------------------------------------------------------------------------------


def decode_trigger_event(said: Form, table: Table) -> TriggerEvent:
    """Return the event that a form stands for.

    Raises DecodeError if it names cards that there are not.
    """
    kind, by = said["event"], decode_seat(said, table, "by")
    refs = {name: tuple(cards) for name, cards in said.get("about", {}).items()}
    check_trigger_cards(kind, refs, table, "/question/about")
    if "effects" in said:
        return TriggerEvent(kind, by, refs, decode_effects(said["effects"], table, TriggerEvent(kind, by, refs)))
    return TriggerEvent(kind, by, refs, collect_usual_effects(table, kind, by, refs))


def check_trigger_cards(kind: str, refs: Mapping[str, Any], table: Table, pointer: str) -> None:
    """Check that an event names existing cards, and those that it needs.

    Raises DecodeError if it does not.
    """
    for name in (*TRIGGER_KINDS[kind], *refs):
        if not refs.get(name):
            raise DecodeError(f"{pointer}/{escape_name(name)}", "is missing: say which card it is")
        for card in refs[name]:
            if wrong := build_card_check(find_box_cards(table.rules))(card) or ("" if card else "say which card it is"):
                raise DecodeError(f"{pointer}/{escape_name(name)}", wrong)
    if kind == "destroyed" and not any(refs.get(f"victim/{seat}") for seat in SEATS):
        raise DecodeError(pointer, "is missing: say what was destroyed")


def encode_trigger_event(table: Table, happening: TriggerEvent) -> Form:
    """Return the form of an event.

    The effects are written only if they do not follow from the cards.
    """
    said: Form = {"event": happening.kind, "by": happening.by}
    if happening.refs:
        said["about"] = {name: list(cards) for name, cards in happening.refs.items()}
    if happening.effects != collect_usual_effects(table, happening.kind, happening.by, happening.refs):
        said["effects"] = [encode_effect(table, each, strip_effects(happening)) for each in happening.effects]
    return said


def strip_effects(happening: TriggerEvent) -> TriggerEvent:
    """Return an event as its effects know it: without themselves."""
    return replace(happening, effects=())


def find_chain_cause(happening: TriggerEvent) -> TriggerEvent | None:
    """Return what the effects of a chain usually know to have happened.

    It is the event that began the chain. It is None for a flip, which is one of the effects itself.
    """
    return None if happening.kind == "flipped" else strip_effects(happening)


def decode_window(said: Form, table: Table) -> ResponseWindow:
    """Return the window that a form stands for."""
    return ResponseWindow(decode_trigger_event(said, table), said.get("next", 1 - table.turn), said.get("passed", 0))


def encode_window(table: Table, window: ResponseWindow) -> Form:
    """Return the form of a window."""
    said: Form = {**encode_trigger_event(table, window.happening), "next": window.next}
    return said | ({"passed": window.passed} if window.passed else {})


# ---- the questions of a chain ----------------------------------------------------------------------------------------


def build_order(form: Form, table: Table) -> Steps:
    """Build the step in which effects activated at once are put into an order."""
    happening = decode_trigger_event(form, table)
    bare = strip_effects(happening)
    left = decode_effects(form["left"], table, bare) if "left" in form else happening.effects
    return (EffectOrdering(happening, left, decode_effects(form.get("chosen", []), table, bare)),)


def propose_order(table: Table, top: EffectOrdering) -> Form:
    """Return the form of the step in which effects are put into an order."""
    bare = strip_effects(top.happening)
    form: Form = {"asks": "order", **encode_trigger_event(table, top.happening)}
    if top.left != top.happening.effects:
        form["left"] = [encode_effect(table, each, bare) for each in top.left]
    if top.chosen:
        form["chosen"] = [encode_effect(table, each, bare) for each in top.chosen]
    return form


def build_response(form: Form, table: Table) -> Steps:
    """Build the chain with an open window in which a crush card may be flipped.

    Raises DecodeError.
    """
    if table.turn == NOBODY:
        raise DecodeError("/turn", "is missing: before the first turn nothing happens that could be answered")
    windows = tuple(decode_window(each, table) for each in form["windows"])
    first = windows[0].happening
    links = decode_effects(form["links"], table, find_chain_cause(first)) if "links" in form else first.effects[::-1]
    return (Chain(links, windows),)


def propose_response(table: Table, top: Chain) -> Form:
    """Return the form of a chain, {} if no window is open."""
    if not top.windows:
        return {}
    first = top.windows[0].happening
    form: Form = {"asks": "respond", "windows": [encode_window(table, each) for each in top.windows]}
    if top.links != first.effects[::-1]:
        form["links"] = [encode_effect(table, each, find_chain_cause(first)) for each in top.links]
    return form

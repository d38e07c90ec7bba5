"""Texts of events: the text of the special case, if any, and no lists of backs."""

from __future__ import annotations

from typing import Any

from referee.cardscript import narration
from referee.cardscript.free_text import telling
from referee.cardscript.moves import ChooseCards
from referee.engine.events import Event, Move
from referee.games.here_to_slay.components import BOOK, FACES
from referee.games.here_to_slay.events.cards import CardPut, EffectLapsed
from referee.games.here_to_slay.events.plays import DiceRolled, ModifierPlayed, RollSettled, TargetsDeclared
from referee.games.here_to_slay.events.turns import GameWon, LastingEffectBegan
from referee.games.here_to_slay.moves import Attack, RollFor
from referee.games.here_to_slay.texts.faces import Span


def text_parameters(event: Event | Move) -> dict[str, Any]:
    """Return the values for the placeholders of the texts about an event or a move."""
    found = narration.collect_text_parameters(event) | telling.find_report_parameters(BOOK, event)
    if isinstance(event, TargetsDeclared):
        named = [value for values in event.targets.values() for value in values]
        found["cards"] = tuple(value for value in named if isinstance(value, str))
        found["seats"] = tuple(value for value in named if isinstance(value, int))
    if isinstance(event, RollSettled) and event.kind in ("hero", "attack"):
        face = FACES[event.about]
        found |= describe_span(face.roll if event.kind == "hero" else face.slay)
    if isinstance(event, ModifierPlayed):
        found["own"] = "yes" if event.seat == event.roller else "no"
    if isinstance(event, RollFor):
        found |= describe_span(FACES[event.hero].roll if event.hero in FACES else Span())
    if isinstance(event, Attack):
        found |= describe_span(FACES[event.monster].slay if event.monster in FACES else Span())
    return found


def describe_span(span: Span) -> dict[str, Any]:
    """Return a span of totals as values of a text.

    They are `least` or `most`, and the bound. `unknown`: there is none.
    """
    if span.least is not None:
        return {"span": "least", "bound": span.least}
    return {"span": "unknown" if span.most is None else "most", "bound": span.most}


def text_variant(event: Event | Move) -> str:
    """Return which of several texts about an event fits.

    If no special case applies, it is `unseen` for an event about hidden cards and `seen` for any other. Moves have one
    text each, but for a choice of nothing.
    """
    if (reported := telling.find_report_variant(event)) is not None:
        return reported
    if isinstance(event, Move):
        return "none" if isinstance(event, ChooseCards) and not event.cards else ""
    found = text_parameters(event)
    match event:
        case RollSettled(kind=kind, outcome=outcome):
            return kind if outcome == "compared" else outcome
        case DiceRolled(kind=kind):
            return kind
        case CardPut(to=to):
            return to
        case LastingEffectBegan(what=what) | EffectLapsed(what=what):
            return what
        case GameWon(way=way):
            return way
        case TargetsDeclared():
            parts = [part for part in ("seats", "cards") if found[part]]
            return "both" if len(parts) > 1 else "".join(parts) or "none"
    cards = found.get("put", found.get("cards", ()))
    return "unseen" if cards and narration.are_all_hidden(cards) else "seen"

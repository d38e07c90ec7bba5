"""What the bound names in a card text stand for, so that positions can be checked."""

from __future__ import annotations

from functools import cache
from typing import Any

from referee.cardscript.language.alternatives import CHOSEN_ALTERNATIVE
from referee.cardscript.language.builtins import Choose, ForEach, OfferTo
from referee.cardscript.language.primitives import Values
from referee.cardscript.language.repeating import COUNTER
from referee.engine.codec import DecodeError, escape_name, quote_value
from referee.engine.positions.form import suggest_name
from referee.engine.zones import is_back
from referee.games.here_to_slay.components import DISCARD, PROGRAMS, Rules
from referee.games.here_to_slay.texts.faces import KINDS
from referee.games.here_to_slay.texts.nouns import SHOWN_NAME
from referee.games.here_to_slay.texts.verbs_of_cards import CheckCardKind

AMBIENT_KINDS = {
    "me": "player", "this": "card", "roller": "player", "challenger": "player", "hero": "card", "lot": "card",
    "loser": "player", "cause": "player", "monster": "card",
}  # fmt: skip
COUNTER_NAMES = (COUNTER, CHOSEN_ALTERNATIVE)  # what texts count by themselves
BINDABLE_PLACES = ("", DISCARD)  # places outside the hand of cards that a text has bound


@cache
def find_name_kinds(card: str, text: str) -> dict[str, str]:
    """Return what each name of a text stands for.

    It is `player`, `card`, `value`, or `kind` (the kind of a card).
    """
    found = dict(AMBIENT_KINDS)
    for line in PROGRAMS[card, text]:
        word: Any = line.effect
        name = getattr(word, "called", "")
        match word:
            case Choose():
                found[name] = word.noun.answer_kind
            case OfferTo():
                found[name] = "player"
            case CheckCardKind():
                found[name] = "kind"
            case ForEach():
                found[name] = word.noun.answer_kind if word.noun else found.get(word.in_ or "", "card")
            case _ if name:
                found[name] = "card"
    return found


def check_bindings(card: str, text: str, bound: dict[str, Values], rules: Rules, pointer: str) -> None:
    """Raise DecodeError unless every name of a text has values of the right kind."""
    known = {**find_name_kinds(card, text), SHOWN_NAME: "card"}  # what a text has shown so far are cards
    for name, values in bound.items():
        base, slash, rest = name.partition("/")
        if base in COUNTER_NAMES and rest.isdigit():
            known = {**known, base: "value"}
        if name == SHOWN_NAME:
            base, slash, rest = name, "", ""
        if base not in known or (slash and not (rest.isdigit() or rest.isidentifier())):
            offer = suggest_name(name, known)
            raise DecodeError(
                f"{pointer}/{escape_name(name)}", f"this text of {card} has no name {quote_value(name)}{offer}"
            )
        kind = "place" if rest == "at" else known[base]
        for at, value in enumerate(values):
            if not _matches_kind(kind, value, rules):
                offer = suggest_name(value, rules.boxes.all_cards) if kind == "card" else ""
                raise DecodeError(
                    f"{pointer}/{escape_name(name)}/{at}", f"this must be a {kind}, not {quote_value(value)}{offer}"
                )


def _matches_kind(kind: str, value: Any, rules: Rules) -> bool:
    if kind == "player":
        return type(value) is int and 0 <= value < rules.seats
    if kind == "value":
        return type(value) is int
    if kind == "place":
        return value in BINDABLE_PLACES
    if kind == "kind":
        return value in KINDS
    return isinstance(value, str) and (is_back(value) or value in rules.boxes.all_cards)

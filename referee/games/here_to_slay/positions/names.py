"""What the names in a card text stand for: players, cards or numbers, so that a position can be held to it."""

from __future__ import annotations

from functools import cache
from typing import Any

from referee.cardscript.language.builtins import Choose, ForEach, OfferTo
from referee.cardscript.language.primitives import Values
from referee.cardscript.positions.schema_check import suggestion
from referee.engine.codec import Unreadable
from referee.engine.zones import is_back
from referee.games.here_to_slay.components import DISCARD, PROGRAMS, Rules
from referee.games.here_to_slay.texts.faces import KINDS
from referee.games.here_to_slay.texts.nouns import SHOWN
from referee.games.here_to_slay.texts.verbs_of_cards import LookWhether

ALWAYS = {
    "me": "player", "this": "card", "roller": "player", "challenger": "player", "hero": "card", "lot": "card",
}  # fmt: skip
PLACES = ("", DISCARD)  # where cards lie that a text has a name for, if not in the hand


@cache
def kinds(card: str, text: str) -> dict[str, str]:
    """What each name of a text stands for: player, card, value, or the kind of a card."""
    found = dict(ALWAYS)
    for line in PROGRAMS[card, text]:
        word: Any = line.word
        name = getattr(word, "called", "")
        match word:
            case Choose():
                found[name] = word.noun.asks
            case OfferTo():
                found[name] = "player"
            case LookWhether():
                found[name] = "kind"
            case ForEach():
                found[name] = word.noun.asks if word.noun else found.get(word.in_ or "", "card")
            case _ if name:
                found[name] = "card"
    return found


def check_bound(card: str, text: str, bound: dict[str, Values], rules: Rules, pointer: str) -> None:
    """Raises Unreadable unless every name of a text stands for what it can stand for."""
    known = {**kinds(card, text), SHOWN: "card"}  # whatever a text has shown so far are cards
    for name, values in bound.items():
        base, slash, rest = name.partition("/")
        if name == SHOWN:
            base, slash, rest = name, "", ""
        if base not in known or (slash and not (rest.isdigit() or rest.isidentifier())):
            offer = suggestion(name, known)
            raise Unreadable(f"{pointer}/{name}", f"nothing in this text of {card} is called {name!r}{offer}")
        kind = "place" if rest == "at" else known[base]
        for at, value in enumerate(values):
            if not _fits(kind, value, rules):
                raise Unreadable(f"{pointer}/{name}/{at}", f"{value!r} is no {kind}")


def _fits(kind: str, value: Any, rules: Rules) -> bool:
    if kind == "player":
        return type(value) is int and 0 <= value < rules.seats
    if kind == "value":
        return type(value) is int
    if kind == "place":
        return value in PLACES
    if kind == "kind":
        return value in KINDS
    return isinstance(value, str) and (is_back(value) or value in rules.boxes.whole)

"""What is told of a fact: the text of its case where it has one, and no row of hidden cards."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from referee.cards.carrying_out import Bound
from referee.games.here_to_slay.events.cards import Lapsed, LotDrawn
from referee.games.here_to_slay.events.plays import DiceRolled, RollSettled, TargetsDeclared
from referee.games.here_to_slay.events.turns import GameWon, LastingBegan
from referee.games.here_to_slay.material import BOOK
from referee.kernel.clauses import Text
from referee.kernel.facts import Event
from referee.kernel.zones import Moved, is_back

UNTOLD = (Bound, LotDrawn)  # names for the text that is running, and a set of what was told card by card


def told(fact: Event) -> Text | None:
    """A readable line about a fact of the game as its reader may see it. None: nothing to tell.

    A text `fact.<name>.<case>` goes before `fact.<name>`; the case `unseen` is that of hidden cards only.
    """
    if isinstance(fact, UNTOLD):
        return None
    said: dict[str, Any] = {part.name: getattr(fact, part.name) for part in fields(fact)}  # type: ignore[arg-type]
    if isinstance(fact, TargetsDeclared):
        named = [value for values in fact.targets.values() for value in values]
        said["cards"] = tuple(value for value in named if isinstance(value, str))
        said["seats"] = tuple(value for value in named if isinstance(value, int))
    if isinstance(fact, Moved):
        said["count"] = len(fact.put)
        if all(map(is_back, fact.put)) and not any(map(is_back, fact.took)):
            said["put"] = fact.took  # what lay open is no secret in the hand it goes to
    key = f"fact.{fact.TAG.rpartition('.')[2]}"
    special = f"{key}.{_case(fact, said)}"
    return BOOK.texts(special if BOOK.has(special) else key, **said)


def _case(fact: Event, said: dict[str, Any]) -> str:
    match fact:
        case RollSettled(kind=kind, outcome=outcome):
            return kind if outcome == "compared" else outcome
        case DiceRolled(kind=kind):
            return kind
        case LastingBegan(what=what) | Lapsed(what=what):
            return what
        case GameWon(way=way):
            return way
        case TargetsDeclared():
            parts = [part for part in ("seats", "cards") if said[part]]
            return "both" if len(parts) > 1 else "".join(parts) or "none"
    cards = said.get("put", said.get("cards", ()))
    return "unseen" if cards and all(map(is_back, cards)) else "seen"

"""What a card asks for when it is played, and what it does, as its printed text says: whatever the table looks like.

Clauses: MK-3.6, MK-4.2.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from referee.cardscript.language.primitives import PlayerSelector, Program
from referee.games.munchkin.components import FACES, PROGRAMS


@cache
def find_required_names(card: str) -> frozenset[str]:
    """What a play of this card has to name: `seat`, `monster`, `side`, `partner` (a second card of the hand)."""
    face, found = FACES[card], set()
    if face.kind == "curse":
        found.add("seat")
    lines = PROGRAMS.get((card, "does"), ())
    for line in lines:
        word: Any = line.effect
        match word.WORD:
            case "enhance" | "twin" | "replace":
                found.add("monster")
            case "remove" if word.which == "chosen":
                found.add("monster")
            case "bonus" if word.side == "chosen":
                found.add("side")
        if word.WORD in ("join", "replace"):
            found.add("partner")
    if face.kind != "curse" and _mentions_name(lines, "target"):
        found.add("seat")
    return frozenset(found)


def _mentions_name(thing: Any, name: str) -> bool:
    """Whether a text has this name anywhere in it."""
    if isinstance(thing, PlayerSelector):
        return thing.name == name
    if isinstance(thing, tuple):
        return any(_mentions_name(each, name) for each in thing)
    if is_dataclass(thing):
        return any(_mentions_name(getattr(thing, part.name), name) for part in fields(thing))
    return isinstance(thing, str) and thing == name


@cache
def find_verbs(card: str) -> frozenset[str]:
    """The verbs of what a card does."""
    return frozenset(line.effect.WORD for line in PROGRAMS.get((card, "does"), ()))


@cache
def gives_player_a_level(card: str) -> bool:
    """Whether a card gives a level to whoever plays it, in exchange for something (MK-4.2)."""
    return any(
        line.effect.WORD == "gain_levels" and line.effect.who.name == "me"  # type: ignore[attr-defined]
        for line in PROGRAMS.get((card, "does"), ())
    )


@cache
def must_target_another(card: str) -> bool:
    """Whether a card names another player, never its own."""
    face = FACES[card]
    return (
        "seat" in find_required_names(card)
        and face.kind != "curse"
        and bool(find_verbs(card) - {"gain_levels", "lose_ride"})
    )


@cache
def strengthens_munchkins(card: str) -> bool:
    """Whether a one-shot can only strengthen the fighters' side."""
    lines: Program = PROGRAMS.get((card, "does"), ())
    return any(line.effect.WORD == "bonus" and line.effect.side == "munchkins" for line in lines)  # type: ignore[attr-defined]

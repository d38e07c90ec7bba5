"""What a card requires a play to name, and which verbs it contains.

It follows from the card's text alone, whatever the state of the table. Clauses: MK-3.6, MK-4.2.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from referee.cardscript.language.primitives import PlayerSelector, Program
from referee.games.munchkin.components import FACES, PROGRAMS


@cache
def find_required_names(card: str) -> frozenset[str]:
    """Return what a play of this card has to name.

    These are some of `seat`, `monster`, `side` and `partner` (a second card from the hand).
    """
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
    """Return whether a text uses this name anywhere."""
    if isinstance(thing, PlayerSelector):
        return thing.name == name
    if isinstance(thing, tuple):
        return any(_mentions_name(each, name) for each in thing)
    if is_dataclass(thing):
        return any(_mentions_name(getattr(thing, part.name), name) for part in fields(thing))
    return isinstance(thing, str) and thing == name


@cache
def find_verbs(card: str) -> frozenset[str]:
    """Return the verbs of what a card does."""
    return frozenset(line.effect.WORD for line in PROGRAMS.get((card, "does"), ()))


@cache
def gives_player_a_level(card: str) -> bool:
    """Return whether a card gives its player a level in exchange for something.

    MK-4.2: A player of level 9 cannot use a card that hurts another in exchange for a level.
    """
    return any(
        line.effect.WORD == "gain_levels" and line.effect.who.name == "me"  # type: ignore[attr-defined]
        for line in PROGRAMS.get((card, "does"), ())
    )


@cache
def must_target_another(card: str) -> bool:
    """Return whether a card may not be played on its own player."""
    face = FACES[card]
    return (
        "seat" in find_required_names(card)
        and face.kind != "curse"
        and bool(find_verbs(card) - {"gain_levels", "lose_ride"})
    )


@cache
def strengthens_munchkins(card: str) -> bool:
    """Return whether a one-shot can strengthen only the fighters' side."""
    lines: Program = PROGRAMS.get((card, "does"), ())
    return any(line.effect.WORD == "bonus" and line.effect.side == "munchkins" for line in lines)  # type: ignore[attr-defined]

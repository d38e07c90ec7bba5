"""What a text has given names so far, as a position says it: only what differs from what it would have known anyway."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.cardscript.language.interpreter import CarryOut
from referee.cardscript.language.primitives import Values
from referee.cardscript.positions.steps import values

Bound = Mapping[str, Values]


def said_of(text: CarryOut, usual: Bound) -> dict[str, Any]:
    """The members `known` and `secret` of a text; a name that it lacks although it is usual stands with nothing."""
    known = {name: list(given) for name, given in text.bound.items() if usual.get(name) != given}
    known |= {name: [] for name in usual if name not in text.bound}
    return {**({"known": known} if known else {}), **({"secret": list(text.secret)} if text.secret else {})}


def bound_by(said: Mapping[str, Any], usual: Bound) -> dict[str, Values]:
    """What the names of a text stand for, by what a position says beyond the usual."""
    given = values(said.get("known", {}))
    return {name: them for name, them in {**usual, **given}.items() if them or name not in usual}

"""What a text has given names so far, as a position says it: only what differs from what it would have known anyway."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.language.primitives import Values
from referee.cardscript.positions.steps import decode_values

Bindings = Mapping[str, Values]


def encode_bindings(text: Execution, usual: Bindings) -> dict[str, Any]:
    """The members `known` and `secret` of a text; a name that it lacks although it is usual stands with nothing."""
    known = {name: list(given) for name, given in text.bound.items() if usual.get(name) != given}
    known |= {name: [] for name in usual if name not in text.bound}
    return {**({"known": known} if known else {}), **({"secret": list(text.secret)} if text.secret else {})}


def decode_bindings(said: Mapping[str, Any], usual: Bindings) -> dict[str, Values]:
    """What the names of a text stand for, by what a position says beyond the usual."""
    given = decode_values(said.get("known", {}))
    return {name: them for name, them in {**usual, **given}.items() if them or name not in usual}

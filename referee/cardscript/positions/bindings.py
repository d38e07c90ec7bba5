"""The names that a text has bound, as a position writes them.

Only what differs from the usual bindings is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.language.primitives import Values
from referee.cardscript.positions.steps import decode_values

Bindings = Mapping[str, Values]


def encode_bindings(text: Execution, usual: Bindings) -> dict[str, Any]:
    """Return the members `known` and `secret` of a text.

    A usual name that the text has not bound is written with an empty list.
    """
    known = {name: list(given) for name, given in text.bound.items() if usual.get(name) != given}
    known |= {name: [] for name in usual if name not in text.bound}
    return {**({"known": known} if known else {}), **({"secret": list(text.secret)} if text.secret else {})}


def decode_bindings(data: Mapping[str, Any], usual: Bindings) -> dict[str, Values]:
    """Return what the names of a text stand for, from usual bindings and a position."""
    given = decode_values(data.get("known", {}))
    return {name: them for name, them in {**usual, **given}.items() if them or name not in usual}

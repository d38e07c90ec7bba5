"""What in a position cannot be: claims, and the contradictions that they find."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Contradiction = dict[str, str]
Claim = tuple[Any, str, str, str]  # whether it is wrong; its pointer in the position; the clause; what is wrong


def find_wrong(*claims: Claim) -> Iterator[Contradiction]:
    """Find each claim that is wrong, as `{pointer, detail, clause}`."""
    for wrong, pointer, clause, detail in claims:
        if wrong:
            yield {"pointer": pointer, "detail": detail, "clause": clause}


def find_first_wrong(*claims: Claim) -> Iterator[Contradiction]:
    """Find the first claim that is wrong.

    The later ones make sense only if the earlier ones hold.
    """
    for contradiction in find_wrong(*claims):
        yield contradiction
        return

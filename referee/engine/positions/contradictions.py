"""What in a position cannot be: claims, and the contradictions that they find."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.engine.rulebook.book import Text

Contradiction = dict[str, Any]
Claim = tuple[Any, str, str, str | Text]  # whether it is wrong; its pointer in the position; the clause; what is wrong


def build_contradiction(pointer: str, detail: str | Text, clause: str) -> Contradiction:
    """Return a contradiction as `{pointer, detail, clause}`.

    Where the detail is translated, `says` holds it in all languages.
    """
    if isinstance(detail, str):
        return {"pointer": pointer, "detail": detail, "clause": clause}
    return {"pointer": pointer, "detail": detail["en"], "clause": clause, "says": detail}


def find_wrong(*claims: Claim) -> Iterator[Contradiction]:
    """Find each claim that is wrong, as `{pointer, detail, clause}`."""
    for wrong, pointer, clause, detail in claims:
        if wrong:
            yield build_contradiction(pointer, detail, clause)


def find_first_wrong(*claims: Claim) -> Iterator[Contradiction]:
    """Find the first claim that is wrong.

    The later ones make sense only if the earlier ones hold.
    """
    for contradiction in find_wrong(*claims):
        yield contradiction
        return

"""A player's die that has fallen and may still be turned: the step that holds it until it counts.

Clauses: MK-17.7, MK-26.3.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.cardscript.questions import CardPrompt


@dataclass(frozen=True)
class RolledDie(CardPrompt):
    """A die of this player has fallen and shows `value`; `card` asked for it: a card with its text, or a monster of
    the combat. `called` is the name under which the text beneath goes on with it; empty: a roll to run away."""

    seat: int
    card: str
    called: str
    value: int

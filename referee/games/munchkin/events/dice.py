"""The step that holds a die that was rolled and may still be turned.

Clauses: MK-17.7, MK-26.3.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.cardscript.questions import PlayerPrompt


@dataclass(frozen=True)
class RolledDie(PlayerPrompt):
    """A die of a player that shows `value` and does not count yet.

    `card` asked for it: a card with a text, or a monster of the combat. `called` is the name to which the text binds
    the
    number. It is empty for a roll to run away.
    """

    seat: int
    card: str
    called: str
    value: int

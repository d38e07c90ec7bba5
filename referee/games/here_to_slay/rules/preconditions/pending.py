"""What is under way on a table: the innermost play or roll, and who sits there."""

from __future__ import annotations

from referee.cardscript.language.interpreter import Execution
from referee.engine.seats import Seat
from referee.engine.steps import Step
from referee.games.here_to_slay.components import FACES
from referee.games.here_to_slay.events.plays import UnsettledRolls
from referee.games.here_to_slay.rules.playing import (
    ChallengeWindow,
    EquipChoice,
    FreeRoll,
    MagicDisposal,
    PlayResolution,
    RollOff,
)
from referee.games.here_to_slay.rules.rolling import HeroEffect
from referee.games.here_to_slay.state import NOBODY, Table

StandingPlay = PlayResolution | FreeRoll | EquipChoice | MagicDisposal  # a card that nobody can challenge any more
Play = ChallengeWindow | RollOff | StandingPlay


def is_player(table: Table, seat: Seat) -> bool:
    """Return whether this seat plays and has not left."""
    return int(seat) in table.seats_at_table


def has_begun(table: Table) -> bool:
    """Return whether the first turn has begun. Raises Undetermined."""
    return table.active != NOBODY


def find_innermost_matter(table: Table) -> tuple[int, Step | None]:
    """Return the innermost play, roll or hero effect, after its index on the agenda.

    The index is -1 and the step None if there is none.

    What an ability does is passed over, because it belongs to the play or roll that triggered it.
    """
    for at in range(len(table.agenda) - 1, -1, -1):
        step = table.agenda[at]
        if isinstance(step, Play | UnsettledRolls | HeroEffect) or is_hero_effect(step):
            return at, step
    return -1, None


def is_hero_effect(step: Step) -> bool:
    """Return whether a step is the effect of a hero, after a successful roll."""
    return isinstance(step, Execution) and not step.declaring and step.text == "does" and is_hero(step.card)


def is_hero(card: str) -> bool:
    """Return whether a card is a hero."""
    return card in FACES and FACES[card].kind == "hero"


def find_card_under_way(table: Table) -> str | None:
    """Return the public card that is being carried out, or None."""
    for step in reversed(table.agenda):
        match step:
            case UnsettledRolls(casts=casts):
                return casts[0].about
            case FreeRoll(hero=card) | EquipChoice(item=card) | HeroEffect(hero=card) | Execution(card=card):
                return card
            case ChallengeWindow(card=card) | PlayResolution(card=card) | MagicDisposal(card=card):
                return card
    return None

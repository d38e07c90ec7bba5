"""Who sits where in which match of a tournament.

Matches come in rounds. In a round each mind sits on each seat equally often, and all matches of the round have the same
seed: the devices of the game then begin with the same deck order and the same dice, until the matches part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, cycle, islice
from typing import Any

Lineup = tuple[str, ...]  # the mind at each seat


@dataclass(frozen=True)
class Plan:
    """What is played in a tournament, except for how long.

    `together`: all seats win or lose together, so that the minds play alone and not against each other.
    `edition`: the card book that is played with. Empty: the game's own cards.
    """

    game: str
    variant: str
    minds: Lineup
    seats: int
    seed: str
    edition: str = ""
    together: bool = False

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Plan:
        """Return the plan in a record. Raises TypeError if members are missing or unknown."""
        return cls(**{**data, "minds": tuple(data.get("minds", ()))})

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as JSON has it."""
        return {**asdict(self), "minds": list(self.minds)}


@dataclass(frozen=True)
class Pairing:
    """One match to play.

    `number` counts the matches of a tournament from 0 on.
    """

    number: int
    round: int
    seed: str
    seats: Lineup


def list_lineups(plan: Plan) -> tuple[Lineup, ...]:
    """Return the lineups of one round.

    If there are more minds than seats, each group of them that fills the table plays. If there are fewer, the first one
    sits alone among the others, who take the remaining seats in turns.
    """
    if plan.together:
        return tuple((mind,) * plan.seats for mind in dict.fromkeys(plan.minds))
    if len(plan.minds) >= plan.seats:
        groups: Sequence[Lineup] = list(combinations(plan.minds, plan.seats))
    else:
        rest = plan.minds[1:] or plan.minds
        groups = [(plan.minds[0], *islice(cycle(rest), plan.seats - 1))]
    turned = (group[turn:] + group[:turn] for group in groups for turn in range(plan.seats))
    return tuple(dict.fromkeys(turned))


def find_pairing(plan: Plan, number: int) -> Pairing:
    """Return the match with this number."""
    lineups = list_lineups(plan)
    turn, at = divmod(number, len(lineups))
    return Pairing(number, turn, f"{plan.seed}/{turn}", lineups[at])


def list_pairings(plan: Plan, rounds: int) -> Iterator[Pairing]:
    """Yield the matches of these many rounds."""
    lineups = list_lineups(plan)
    for number in range(rounds * len(lineups)):
        turn, at = divmod(number, len(lineups))
        yield Pairing(number, turn, f"{plan.seed}/{turn}", lineups[at])


def count_rounds(plan: Plan, matches: int) -> int:
    """Return how many whole rounds have at least this many matches."""
    return -(-matches // len(list_lineups(plan)))

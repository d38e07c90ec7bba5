"""Round robin: everyone meets everyone once, by the circle method.

The order of the lots decides on everything, so that each round can be worked out by itself. Places 0 … m-2 stand in a
circle, the last one outside it. In round r, counted from 0, the places meet whose sum is r modulo m-1; the one that
would meet itself meets the place outside. With an odd number of players nobody stands there, and it has the bye.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.tournament.pairing import NotPairable, Pairing, build_pairing, require_lots


def count_cycle(players: int) -> int:
    """Return how many rounds it takes until everyone has met everyone."""
    return players - 1 + players % 2


def pair_round_robin(players: Iterable[int], round_number: int, lots: Sequence[int]) -> Pairing:
    """Return the tables of a round. The opponents of players who left have byes.

    Who begins follows from the distance in the circle: odd, and the first of the two does. Each begins as often as not,
    give or take one. Raises NotPairable.
    """
    playing = set(players)
    require_lots(playing, lots)
    rounds = count_cycle(len(lots))
    if round_number > rounds:
        raise NotPairable("no_rounds_left", rounds=rounds)
    places: list[int | None] = [*lots] if len(lots) % 2 == 0 else [*lots, None]
    tables = []
    for one, other in _list_places(rounds, round_number):
        table = tuple(player for place in (one, other) if (player := places[place]) is not None and player in playing)
        if table:
            tables.append(table)
    return build_pairing(tables)


def _list_places(rounds: int, round_number: int) -> list[tuple[int, int]]:
    """Return which places meet in a round, the one that begins first."""
    found: list[tuple[int, int]] = []
    for place in range(rounds):
        other = (round_number - 1 - place) % rounds
        if other == place:
            found.insert(0, (place, rounds) if round_number % 2 else (rounds, place))
        elif (other - place) % rounds % 2:  # the distance the other way round is even, as the number of places is odd
            found.append((place, other))
    return found

"""Knockout: the winners of a round meet in the next, in a bracket drawn by lots.

The bracket is filled up to a power of two with byes, which go to the first lots; they are spread so that those lots
meet as late as they can. The place in the bracket decides on all later rounds.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from referee.engine.chance import RandomBelow
from referee.tournament.pairing import NotPairable, Pairing, build_pairing, order_seats, require_lots
from referee.tournament.results import TableResult


def count_knockout_rounds(players: int) -> int:
    """Return how many rounds it takes until one is left."""
    return (players - 1).bit_length()


def pair_knockout(
    players: Collection[int],
    results: Sequence[TableResult],
    round_number: int,
    below: RandomBelow,
    lots: Sequence[int],
) -> Pairing:
    """Return the tables of a round; who is knocked out sits nowhere.

    The opponent of a player who left has a bye and goes on. Raises NotPairable, for `undecided_table` if a table has
    several winners who all still play; a table that everyone forfeited sends nobody on.
    """
    require_lots(players, lots)
    rounds = count_knockout_rounds(len(lots))
    if round_number > rounds:
        raise NotPairable("no_rounds_left", rounds=rounds)
    bracket: list[int | None] = [lots[seed] if seed < len(lots) else None for seed in list_seeds(rounds)]
    for past in range(1, round_number):
        seated = {player: result for result in results if result.round == past for player in result.players}
        bracket = [_find_winner(pair, past, seated, players) for pair in _list_pairs(bracket)]
    tables = [tuple(player for player in pair if player in players) for pair in _list_pairs(bracket)]
    left = [player for table in tables for player in table if player is not None]
    if not left:
        raise NotPairable("nobody_is_left")
    if len(left) == 1:
        raise NotPairable("tournament_is_decided", player=left[0])
    return build_pairing(order_seats([p for p in t if p is not None], results, below) for t in tables if t)


def list_seeds(rounds: int) -> list[int]:
    """Return the lots in the order of the bracket.

    0 and 1 meet in the last round, 0 to 3 in the last two.
    """
    seeds = [0]
    for _round in range(rounds):
        seeds = [seed for each in seeds for seed in (each, 2 * len(seeds) - 1 - each)]
    return seeds


def _list_pairs(bracket: Sequence[int | None]) -> list[tuple[int | None, int | None]]:
    """Return the neighbours in a bracket."""
    return list(zip(bracket[::2], bracket[1::2], strict=True))


def _find_winner(
    pair: tuple[int | None, int | None], past: int, seated: Mapping[int, TableResult], players: Collection[int]
) -> int | None:
    """Return who goes on from a place in the bracket, or None. Raises NotPairable."""
    there = [player for player in pair if player is not None]
    found = {player: seated[player] for player in there if player in seated}
    for player in there:
        if player not in found and player in players:
            raise NotPairable("missing_result", round=past, player=player)
    if not found:
        return None
    result = next(iter(found.values()))
    if set(result.players) != set(found):
        raise NotPairable("results_off_bracket", round=past, table=result.table)
    if result.winner is not None or not result.placement:
        return result.winner
    equal = [player for player in result.placement[0] if player in players]
    if len(equal) > 1:
        raise NotPairable("undecided_table", round=past, table=result.table)
    return equal[0] if equal else None

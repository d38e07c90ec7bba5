"""Opening a tournament: what its format has to be like.

TOURNAMENT-OPEN-1: A tournament names its game, rules, system, times, points and tie-breaks when it opens, and keeps
them. The server commits to its lots before anybody enters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.engine.events import Event
from referee.engine.game import Setup
from referee.engine.rulings import MalformedInput
from referee.games import load_games
from referee.tournament.commands import OpenTournament
from referee.tournament.events import OfficerAppointed, TournamentOpened
from referee.tournament.pairing.systems import OF_TWO, SYSTEMS
from referee.tournament.standings import TIEBREAKS, Points
from referee.tournament.state import (
    DEPOSITED_DECKS,
    NO_DECKS,
    PRIVATE,
    PUBLIC,
    REFEREED,
    REPORTED,
    SCHEMES,
    Format,
)

MOST_ROUNDS, MOST_PLAYERS = 30, 256
MOST_POINTS, MOST_PLACES = 100, 12  # of a result, and of a table
OUTCOMES = ("win", "draw", "loss", "bye", "forfeit")  # each with its points
LEAST_MS, MOST_MS = 10_000, 7 * 24 * 3600 * 1000  # of every time that a format names


def complete_format(given: Format) -> Format:
    """Return a format with the settings of its game filled in, under the newest rules.

    Raises MalformedInput with a pointer to each member that is wrong.
    """
    wrong = [{"pointer": f"/{place}", "detail": detail} for place, detail in find_format_errors(given)]
    if given.rated and given.plays == REPORTED:  # not among those: earlier openings could say both, and stand
        wrong.append({"pointer": "/rated", "detail": "Only matches of this server are rated, not reported results."})
    if wrong:
        raise MalformedInput(wrong)
    rules = load_games()[given.game]
    readings, settings = rules.split_agreed_interpretations(given.readings, given.settings)
    setups = [
        rules.complete_setup(Setup(given.variant, seats, settings, given.chance, (), given.edition, "", readings))
        for seats in range(given.least_seats, given.most_seats + 1)
    ]
    for setup in setups:
        rules.build_initial_state(setup)  # a table that could not start is refused now
    setup = setups[-1]
    return replace(given, edition=setup.edition, readings=setup.readings, scheme=SCHEMES[-1])


def find_format_errors(given: Format) -> Iterator[tuple[str, str]]:
    """Yield the place in a request and the fault of what does not fit together."""
    if given.game not in load_games():
        yield "game", "Unknown game."
    if given.system not in SYSTEMS:
        yield "system", f"Must be one of: {', '.join(SYSTEMS)}."
    if not 2 <= given.least_seats <= given.most_seats:
        yield "seats/most", "A table has two seats at least, and not fewer than the smallest table."
    elif given.system in OF_TWO and given.most_seats != 2:
        yield "seats/most", f"At a table of {given.system} sit two."
    if not 0 <= given.rounds <= MOST_ROUNDS:
        yield "rounds", f"Must be 0 to {MOST_ROUNDS}."
    if not 2 <= given.most_players <= MOST_PLAYERS:
        yield "most_players", f"Must be 2 to {MOST_PLAYERS}."
    if given.plays not in (REFEREED, REPORTED):
        yield "plays", f"Must be one of: {REFEREED}, {REPORTED}."
    if given.decks not in (NO_DECKS, DEPOSITED_DECKS):
        yield "decks", f"Must be one of: {NO_DECKS}, {DEPOSITED_DECKS}."
    if given.visibility not in ("", PUBLIC, PRIVATE):
        yield "visibility", f"Must be one of: {PUBLIC}, {PRIVATE}."
    elif given.rated and given.shown_to != PUBLIC:
        yield "visibility", "The matches of a rated tournament are public."
    if len(set(given.tiebreaks)) < len(given.tiebreaks) or not set(given.tiebreaks) <= set(TIEBREAKS):
        yield "tiebreaks", f"Must be different ones of: {', '.join(TIEBREAKS)}."
    if given.scheme not in SCHEMES:
        yield "scheme", f"Must be one of: {', '.join(map(str, SCHEMES))}."
    yield from _find_points_errors(given.points)
    for name in ("round_ms", "sign_ms", "appeal_ms"):
        value = getattr(given, name)
        if value is not None and not LEAST_MS <= value <= MOST_MS:
            yield name, f"Must be {LEAST_MS} to {MOST_MS}."


def _find_points_errors(points: Points) -> Iterator[tuple[str, str]]:
    """Yield the place and the fault of points that are too many, or no whole numbers."""
    worth = {name: getattr(points, name) for name in OUTCOMES}
    worth |= {f"by_place/{at}": each for at, each in enumerate(points.by_place[:MOST_PLACES])}
    for place, each in worth.items():
        if type(each) is not int or not 0 <= each <= MOST_POINTS:
            yield f"points/{place}", f"Must be 0 to {MOST_POINTS}."
    if len(points.by_place) > MOST_PLACES:
        yield "points/by_place", f"Longer than maximum length {MOST_PLACES}."


def decide_opening(tournament: str, commitment: str, command: OpenTournament) -> tuple[Event, ...]:
    """Return the events of opening a tournament of a completed format."""
    opened = TournamentOpened(tournament, commitment, command.format)
    return (opened, *((OfficerAppointed(1, command.head, "head"),) if command.head else ()))

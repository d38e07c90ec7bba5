"""`referee bots tournament` and `balance`: play a series and say what it shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import click

from referee.bots.tournaments.pairing import Plan, count_rounds, list_lineups, list_pairings
from referee.bots.tournaments.records import MatchRecord, find_mismatch, select_whole_rounds
from referee.bots.tournaments.statistics import MARGIN, SequentialTest
from referee.bots.tournaments.summary import list_round_results
from referee.cli.commands.bots.asking import check_setup, find_game, install_book, parse_minds
from referee.cli.commands.bots.folder import TournamentFolder, TournamentFolderError
from referee.cli.commands.bots.processes import count_cores, play_pairings
from referee.cli.commands.bots.report.results import Results
from referee.cli.progress import show_progress
from referee.engine.game import Game, Setup

NOT_ABOVE = 3  # exit code: whatever is refused or wrong has another one


@dataclass(frozen=True)
class SeriesRequest:
    """A series of matches that a user asks for."""

    game: str
    minds: str
    seats: int | None
    matches: int
    variant: str | None
    cards: Path | None
    seed: str
    jobs: int | None
    folder: Path | None
    resume: bool
    bar: float | None = None
    margin: float = MARGIN


def run_tournament(request: SeriesRequest, *, lang: str, as_json: bool) -> int:
    """Play a tournament, print its results, and return the exit code.

    The code is 3 if the first mind is not found to be above the bar.

    Raises UsageError, CardBookFileError, TournamentFolderError, BrokenMatchError.
    """
    results = play_series(request, lang, as_json=as_json)
    results.print_tournament(as_json=as_json)
    return 0 if request.bar is None or results.verdict == "above" else NOT_ABOVE


def run_balance(request: SeriesRequest, *, lang: str, as_json: bool) -> int:
    """Let a mind play against itself, and print what that says about the cards.

    Raises UsageError, CardBookFileError, TournamentFolderError, BrokenMatchError.
    """
    if "," in request.minds:
        raise click.UsageError("one mind sits on all seats: name one")
    play_series(request, lang, as_json=as_json).print_balance(as_json=as_json)
    return 0


def play_series(request: SeriesRequest, lang: str, *, as_json: bool) -> Results:
    """Play what is missing of a series, and return what its whole rounds show."""
    game = find_game(request.game)
    if request.resume and request.folder is None:
        raise click.UsageError("--resume needs --out FOLDER")
    try:
        test = None if request.bar is None else SequentialTest(request.bar, request.margin)
    except ValueError as wrong:
        raise click.UsageError(f"--bar: {wrong}") from wrong
    edition, book = install_book(request.cards, game)
    plan = build_plan(request, game, edition or game.newest_edition)
    folder = None if request.folder is None else TournamentFolder(request.folder, lang)
    known = {} if folder is None else folder.open(plan, resume=request.resume)
    rounds = count_rounds(plan, request.matches)
    if (odd := find_mismatch(known.values(), plan)) is not None:
        raise TournamentFolderError("folder_record_other", lang, folder=request.folder, number=odd.number)
    for record in _play_missing(plan, rounds, known, request.jobs or count_cores(), book, test, as_json=as_json):
        known[record.number] = record
        if folder is not None:
            folder.append(record)
    records = select_whole_rounds(known.values(), len(list_lineups(plan)))
    results = Results(game, plan, records, test, lang)
    if folder is not None:
        results.page = folder.write_page(results.render_page(), results.draw_files())
    return results


def build_plan(request: SeriesRequest, game: Game, edition: str) -> Plan:
    """Return the plan that a user asks for. Raises UsageError."""
    minds = parse_minds(request.minds, game)
    variant, seats = request.variant or game.variants[0], request.seats or game.min_seats
    check_setup(game, Setup(variant, seats, edition=edition))
    return Plan(game.name, variant, minds, seats, request.seed, edition, variant in game.cooperative_variants)


def _play_missing(
    plan: Plan,
    rounds: int,
    known: dict[int, MatchRecord],
    jobs: int,
    book: str,
    test: SequentialTest | None,
    *,
    as_json: bool,
) -> Iterator[MatchRecord]:
    """Yield the records of the matches that are not known, until the test has decided."""
    size = len(list_lineups(plan))

    def is_decided() -> bool:
        return test is not None and _decide(test, plan, select_whole_rounds(known.values(), size)) != "open"

    missing = [pairing for pairing in list_pairings(plan, rounds) if pairing.number not in known]
    if not missing or is_decided():
        return
    with (
        closing(play_pairings(plan, missing, min(jobs, len(missing)), book)) as playing,
        show_progress(f"{plan.game} {plan.variant}", rounds * size, is_hidden=as_json) as note,
    ):
        for record in playing:
            yield record
            note(len(known))
            if is_decided():
                return


def _decide(test: SequentialTest, plan: Plan, records: Sequence[MatchRecord]) -> str:
    return test.decide(list_round_results(plan.minds[0], records))[0]

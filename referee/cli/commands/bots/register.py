"""The commands that let bots play each other in this process, without a server.

As in `main`, each command imports its code only when it runs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from referee.cli.options import AS_JSON

LANG = click.option("--lang", "--language", type=click.Choice(["en", "de"]), default="en", show_default=True)
VARIANT = click.option("--variant", help="The variant that is played (default: the first one of the game).")
CARDS = click.option(
    "--cards", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="BOOK",
    help="Play with this card book.",
)  # fmt: skip
SEED = click.option("--seed", default="1", show_default=True, help="What all dice and shuffles follow from.")
RUNNING = (
    click.option("--jobs", type=click.IntRange(1, 256),
        help="How many matches are played at once (default: one a core)."),
    click.option(
        "--out", "folder", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER",
        help="Keep plan, records (JSON, one match a line) and a page for browsers here.",
    ),
    click.option("--resume", is_flag=True, help="Go on with the records in FOLDER."),
)  # fmt: skip


def running_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say how a series of matches is played and kept."""
    for option in reversed(RUNNING):
        command = option(command)
    return command


@click.group()
def bots() -> None:
    """Let bots play each other on this machine, without a server."""


@bots.command("list")
@LANG
@AS_JSON
def list_bots(lang: str, as_json: bool) -> None:
    """List the bots, and how strong they are in each game."""
    from referee.cli.commands.bots.listing import print_bots

    print_bots(lang, as_json=as_json)


@bots.command()
@click.argument("game")
@click.option(
    "--seats", "minds", required=True, metavar="MIND,...", help="Who sits where, as `referee bots list` names them."
)
@VARIANT
@CARDS
@SEED
@click.option("--moves", is_flag=True, help="Show each move in a line.")
@LANG
@AS_JSON
def match(
    game: str, *, minds: str, variant: str | None, cards: Path | None, seed: str, moves: bool, lang: str, as_json: bool
) -> None:
    """Play one match of GAME, and say who won.

    The same seats and seed give the same match. `--seed` takes the seed in a tournament's record as well, and plays
    that match again.
    """
    from referee.cli.commands.bots.matching import MatchRequest, play_one_match

    play_one_match(MatchRequest(game, minds, variant, cards, seed), moves=moves, lang=lang, as_json=as_json)


@bots.command()
@click.argument("game")
@click.option("--minds", required=True, metavar="MIND,...", help="Who plays, as `referee bots list` names them.")
@click.option("--seats", type=click.IntRange(1, 20), help="How many seats a match has (default: the fewest).")
@click.option(
    "--matches",
    type=click.IntRange(1, 1_000_000),
    default=100,
    show_default=True,
    help="Play this many, rounded up to whole rounds.",
)
@click.option(
    "--bar",
    type=click.FloatRange(0.01, 0.99),
    metavar="SHARE",
    help="Stop as soon as it is clear whether the first mind wins more than this share of its matches.",
)
@click.option(
    "--margin",
    type=click.FloatRange(0.001, 0.5),
    default=0.05,
    show_default=True,
    help="By how much a mind beyond the bar is taken to exceed it. The wider, the sooner there is a verdict.",
)
@VARIANT
@CARDS
@SEED
@running_options
@LANG
@AS_JSON
def tournament(*, lang: str, as_json: bool, **wishes: Any) -> None:
    """Play minds against each other in GAME.

    In each round every mind sits on every seat equally often, with the same dice and the same decks. If there are more
    minds than seats, all groups of them play; if there are fewer, the first sits alone among the others.

    With --bar, Wald's sequential test weighs that share against one higher by --margin, after every round. Either wrong
    verdict has a chance of at most 5 %. The exit code is then 0 if the first mind is above the bar and 3 if it is not,
    or if the matches were too few.
    """
    from referee.cli.commands.bots.series import SeriesRequest, run_tournament

    sys.exit(run_tournament(SeriesRequest(**wishes), lang=lang, as_json=as_json))


@bots.command()
@click.argument("game")
@click.option("--mind", "minds", default="1", show_default=True, help="Who sits on all seats.")
@click.option("--seats", type=click.IntRange(1, 20), help="How many seats a match has (default: the fewest).")
@click.option("--matches", type=click.IntRange(1, 1_000_000), default=200, show_default=True, help="How many to play.")
@VARIANT
@CARDS
@SEED
@running_options
@LANG
@AS_JSON
def balance(*, lang: str, as_json: bool, **wishes: Any) -> None:
    """Find the cards of GAME that win too often or lie idle.

    One mind plays against itself. Each card is compared with the average card of these matches: how often it was drawn
    and played, and how those fared who did. What is said of a card holds for all cards at once with 95 %.
    """
    from referee.cli.commands.bots.series import SeriesRequest, run_balance

    sys.exit(run_balance(SeriesRequest(**wishes), lang=lang, as_json=as_json))


COMMANDS = (bots,)

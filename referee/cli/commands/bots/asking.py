"""Check what a user asked for, and turn it into a game, minds and seats."""

from __future__ import annotations

from pathlib import Path

import click

from referee.bots.tournaments.players import UnknownMindError, find_mind
from referee.engine.game import Game, Setup
from referee.engine.rulebook.editions import CardBookError
from referee.engine.rulings import MalformedInput
from referee.games import load_games
from referee.games.books import install_book_text
from referee.infrastructure.card_book_files import CardBookFileError, read_book_text, render_errors


def find_game(name: str) -> Game:
    """Return a game by its name. Raises BadParameter."""
    if name not in load_games():
        raise click.BadParameter(f"no game {name}; games: {', '.join(load_games())}", param_hint="GAME")
    return load_games()[name]


def parse_minds(text: str, game: Game) -> tuple[str, ...]:
    """Return the names of minds in a list with commas. Raises BadParameter."""
    names = tuple(part.strip() for part in text.split(","))
    try:
        for name in names:
            find_mind(name, game)
    except UnknownMindError as wrong:
        raise click.BadParameter(str(wrong)) from wrong
    return names


def install_book(path: Path | None, game: Game) -> tuple[str, str]:
    """Make the card book in a file playable here, and return its edition and its text.

    Both are empty without a file. Raises CardBookFileError, BadParameter if it is of another game.
    """
    if path is None:
        return "", ""
    text = read_book_text(path)
    try:
        book = install_book_text(text, path.name)
    except CardBookError as wrong:
        raise CardBookFileError(render_errors(wrong, path.name)) from wrong
    if book.game != game.name:
        raise click.BadParameter(f"{path.name} is a book of {book.game}, not of {game.name}", param_hint="--cards")
    return book.edition, text


def check_setup(game: Game, setup: Setup) -> Setup:
    """Return the setup with its defaults.

    Raises UsageError if the game cannot be played so.
    """
    try:
        return game.complete_setup(setup)
    except MalformedInput as wrong:
        said = "; ".join(f"{error['pointer'].strip('/')}: {error['detail']}" for error in wrong.errors)
        raise click.UsageError(f"{game.name} cannot be played so: {said}") from wrong

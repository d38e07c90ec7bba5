"""`referee cards`: checks, shows and publishes card books."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import click
from rich.markup import escape

from referee.cli.client import ApiClient
from referee.cli.output import make_console, print_json
from referee.engine.game import Game
from referee.engine.rulebook.book import LANGUAGES, Rulebook, Text, read_yaml
from referee.engine.rulebook.editions import CardBook
from referee.engine.rulebook.messages import format_message
from referee.games import load_games
from referee.infrastructure.card_book_files import CardBookFileError, publish_book, read_book
from referee.infrastructure.clients import open_match_log
from referee.infrastructure.embedded.servers import find_store_url
from referee.infrastructure.errors import StoreNotFoundError
from referee.infrastructure.settings import Settings

CARD_WORDS: dict[str, Text] = read_yaml(Path(__file__).with_name("cards.yaml"))
# shown in other ways, or meant for editors
FIELDS_SHOWN_APART = (  # `acts` are for icons: the text says it
    *("id", "kind", "name", "text", "copies", "clauses", "sourced", "note", "comfort", "picture", "acts"),
)
Card = Mapping[str, Any]


def check_card_books(files: Iterable[Path], *, lang: str, as_json: bool, only_errors: bool = False) -> int:
    """Print the errors of each file, or what it holds, and return the exit code.

    The code is 1 if a file is wrong. `only_errors`: say nothing of the others.
    """
    bad, results = False, list[dict[str, Any]]()
    for path in files:
        try:
            book = read_book(path, lang)
        except CardBookFileError as wrong:
            bad = True
            results.append({"file": path.name, "errors": str(wrong).splitlines()})
            if not as_json:
                click.echo(str(wrong))
        else:
            free = list_free_cards(book)
            found = {"edition": book.edition, "hash": book.hash, "cards": len(book.entries), "free_texts": free}
            results.append({"file": path.name, **found})
            if not (as_json or only_errors):
                good = format_message(
                    CARD_WORDS["import_good"][lang], lang, {"count": len(book.entries), "game": book.game}
                )
                click.echo(f"{path.name}: {book.edition}, {good}")
                if free:
                    told = format_message(CARD_WORDS["check_free"][lang], lang, {"count": len(free)})
                    click.echo(f"{path.name}: {told}: {', '.join(free)}")
    if as_json:
        print_json({"files": results})
    return 1 if bad else 0


def list_free_cards(book: CardBook) -> list[str]:
    """Return the cards with texts that the people at the table carry out."""
    return [entry["id"] for entry in book.entries if has_free_text(entry)]


def has_free_text(part: Any) -> bool:
    """Whether a part of a card has a line that no verbs say."""
    if isinstance(part, Mapping):
        return part.get("do") == "as_written" or any(map(has_free_text, part.values()))
    return isinstance(part, list | tuple) and any(map(has_free_text, part))


@dataclass(frozen=True)
class ShownCards:
    """The cards of a file or an edition, and what stands above them."""

    title: str
    cards: tuple[Card, ...]
    rulebook: Rulebook


def read_shown_cards(what: str, settings: Settings, *, edition: str | None, lang: str) -> ShownCards:
    """Return the cards of a file, or of an edition of a game.

    A published card book is read from the API. Raises CardBookFileError, UsageError (no such game), ProblemError,
    ApiUnavailableError.
    """
    path = Path(what)
    if path.suffix or path.exists():
        book = read_book(path, lang)
        return ShownCards(format_title(book, lang), list_cards(book), load_games()[book.game].rulebook)
    if what not in load_games():
        raise click.UsageError(f"{what} is neither a file nor a game; games: {', '.join(load_games())}")
    game = load_games()[what]
    edition = edition or game.newest_edition
    if edition in game.own_editions:
        return ShownCards(format_heading(game, edition, lang), game.cards_of_edition(edition), game.rulebook)
    found = ApiClient(settings.api_url, settings.token).get(f"/v1/games/{quote(what)}/cards", edition=edition)
    return ShownCards(format_heading(game, edition, lang), tuple(found.body["items"]), game.rulebook)


def print_cards(shown: ShownCards, lang: str, *, as_json: bool) -> None:
    """Print cards to read."""
    if as_json:
        print_json({"title": shown.title, "cards": list(shown.cards)})
        return
    out = make_console()
    out.print(f"[bold]{escape(shown.title)}[/bold]")
    for line in render_cards(shown.cards, shown.rulebook, lang):
        out.print(line)


def format_heading(game: Game, edition: str, lang: str) -> str:
    """Return the heading of a game's cards: its title and the edition."""
    return f"{game.title[lang]} ({translate_word('edition', edition, lang)})"


def format_title(book: CardBook, lang: str) -> str:
    """Return the heading of a card book: its title, edition and game."""
    beside = f"; {CARD_WORDS['beside'][lang]}" if book.extends else ""
    return f"{book.title[lang]} ({book.edition}, {load_games()[book.game].title[lang]}{beside})"


def list_cards(book: CardBook) -> tuple[Card, ...]:
    """Return the cards of a card book in the order of its file."""
    return tuple({"copies": 1, **entry} for entry in book.entries)


def render_cards(cards: Iterable[Card], rulebook: Rulebook, lang: str) -> Iterator[str]:
    """Yield cards for reading, in rich's markup.

    Each has a paragraph with its numbers. The totals stand at the end.
    """
    count = total = 0
    for card in cards:
        copies = card.get("copies", 1)
        count, total = count + 1, total + (copies if isinstance(copies, int) else 1)
        several, kind = f" ×{copies}" if copies != 1 else "", translate_word("kind", str(card.get("kind", "")), lang)
        yield ""
        yield f"[bold]{escape(card['name'][lang])}[/bold]{several}  [dim]{escape(kind)}[/dim]"
        text = card.get("text") or {}
        if text.get(lang):
            yield f"  {escape(text[lang])}"
        members = [(name, value) for name, value in card.items() if name not in FIELDS_SHOWN_APART]
        numbers = [describe_member(name, value, rulebook, lang) for name, value in members]
        yield from (f"  [dim]{escape(line)}[/dim]" for line in [f"{card['id']}", *numbers])
    yield ""
    yield format_message(CARD_WORDS["total"][lang], lang, {"count": count, "all": total})


def translate_word(kind: str, name: str, lang: str) -> str:
    """Return the word for a kind, a member or an edition of cards.

    One that has no word is called by its own name.
    """
    return CARD_WORDS.get(f"{kind}.{name}", {}).get(lang, name)


def describe_member(name: str, value: Any, rulebook: Rulebook, lang: str) -> str:
    """Return a member of a card in words, or as its file has it if there are none."""
    if f"field.{name}" not in CARD_WORDS:
        return f"{name}: {format_value(value)}"
    return f"{translate_word('field', name, lang)}: {describe_value(value, rulebook, lang)}"


def describe_value(value: Any, rulebook: Rulebook, lang: str) -> str:
    """Return a value of a card on one line, in words where the game has them."""
    if isinstance(value, bool):
        return CARD_WORDS["yes" if value else "no"][lang]
    if isinstance(value, Mapping) and set(value) != set(LANGUAGES):
        parts = value.items()
        return "; ".join(
            f"{translate_word('field', name, lang)} {describe_value(part, rulebook, lang)}" for name, part in parts
        )
    if isinstance(value, list | tuple):
        return ", ".join(describe_value(part, rulebook, lang) for part in value)
    return str(rulebook.name_value(value, lang))


def format_value(value: Any) -> str:
    """Format a value of a card on one line, as its file has it."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name}: {format_value(part)}" for name, part in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(format_value, value)) + "]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def publish_books(files: Iterable[Path], settings: Settings, *, lang: str, as_json: bool) -> None:
    """Publish files in the store.

    It is the store that the settings name, or the one that a server runs in their data directory. Raises
    CardBookFileError, StoreNotFoundError.
    """
    url = settings.store_url or find_store_url(settings.data_dir)
    if url is None:
        raise StoreNotFoundError(format_message(CARD_WORDS["publish_no_server"][lang], lang, {"at": settings.data_dir}))
    log, results = open_match_log(replace(settings, store_url=url)), []
    for path in files:
        book, new = publish_book(log, path, lang)
        results.append({"file": path.name, "edition": book.edition, "new": new})
        if not as_json:
            told = CARD_WORDS["publish_new" if new else "publish_known"][lang]
            click.echo(f"{path.name}: {format_message(told, lang, {'edition': book.edition})}")
    if as_json:
        print_json({"files": results})

"""`referee show`: prints a match turn by turn, or the table at one version.

Both are what one viewer may see. `--html` writes a printable page instead.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import quote

from referee.cli.client import ApiClient, ProblemError
from referee.cli.commands.rulings.judge import UnwritableOutputError
from referee.cli.output import make_console, print_json, print_notice
from referee.cli.timeline_output import (
    TimelineStyle,
    build_words,
    render_headline,
    render_markup,
    render_timeline,
    wrap_text,
)
from referee.engine.rulebook.book import Text, read_yaml
from referee.engine.rulebook.editions import CardBookError
from referee.games import load_games
from referee.games.books import install_book_text
from referee.infrastructure.errors import HostError
from referee.rendering.html import sanitize_line
from referee.rendering.times import LOCAL_FORMAT, ZonedTimeFormat, parse_timestamp_ms
from referee.transcript import page
from referee.transcript.history import build_turns, filter_turns, turns_response
from referee.transcript.page import Transcript, TranscriptRequest
from referee.transcript.table import build_table_nodes, describe_open_question, flatten_nodes

JsonObject = dict[str, Any]
MATCH = re.compile(r"[0-9]{2}-[a-z]{26}")
UNKNOWN_TOKEN_CODE = 77  # EX_NOPERM of sysexits.h
HINTED_STATUSES = (401, 403, 404)
WORDS: dict[str, Text] = read_yaml(Path(__file__).with_name("show.yaml"))


def say(key: str, lang: str, **values: Any) -> str:
    """Return the text under a key with its placeholders filled."""
    return WORDS[key][lang].format(**values)


@dataclass(frozen=True, slots=True)
class ShowOptions:
    """What to show and how.

    - `viewer`: `public`, `full` or a seat.
    - `at`: show the table at this version instead of the history.
    - `after`, `upto`: show only the entries in (after, upto].
    """

    lang: str = "en"
    viewer: str | int = "public"
    at: int | None = None
    after: int = 0
    upto: int | None = None
    clauses: bool = True
    folded: bool = False
    html: Path | None = None
    as_json: bool = False

    @property
    def viewer_name(self) -> str:
        """The viewer, as the API names it."""
        return f"seat:{self.viewer}" if isinstance(self.viewer, int) else self.viewer


@dataclass(frozen=True, slots=True)
class MatchDocument:
    """A match from the API or from a file.

    It has the match, the players' names and all entries, or a view instead of the entries. `is_token_unknown`: a token
    was shown that is none of the match, so this is what the public sees.
    """

    about: JsonObject
    names: dict[str, str | None]
    entries: list[JsonObject]
    view: JsonObject | None = None
    is_token_unknown: bool = False


class NotShowableError(HostError):
    """The match cannot be shown, or not as this viewer."""


def warn_of_unknown_token(told: MatchDocument, lang: str) -> int:
    """Say so if the token is none of the match, and return the exit code."""
    if not told.is_token_unknown:
        return 0
    print_notice(say("unknown_token", lang))
    return UNKNOWN_TOKEN_CODE


def is_file(named: str) -> bool:
    """Whether the name means a file and not the id of a match."""
    return not MATCH.fullmatch(named) and (Path(named).is_file() or Path(named).suffix == ".bundle")


def fetch_document(client: ApiClient, match: str, wish: ShowOptions) -> MatchDocument:
    """Return a match as the API gives it to a viewer.

    Raises ProblemError with a hint, ApiUnavailableError, NotShowableError.
    """
    try:
        return _read_document(client, match, wish)
    except ProblemError as wrong:
        told = _repeat_problem(client, match, wish) if wish.lang != "en" else None
        raise _explain_problem(told or wrong, wish.lang, has_token=client.has_token) from wrong


def _repeat_problem(client: ApiClient, match: str, wish: ShowOptions) -> ProblemError | None:
    """Return the problem in the language of the wish, by asking again.

    The first time texts come in all languages, and problems in English. Return None if there is no problem now.
    """
    try:
        _read_document(client.with_language(wish.lang), match, wish)
    except ProblemError as told:
        return told
    return None


def _explain_problem(wrong: ProblemError, lang: str, *, has_token: bool) -> ProblemError:
    """Return a problem with a hint where there is one."""
    if wrong.status == HTTPStatus.UNAUTHORIZED and has_token:
        told = ProblemError(wrong.status, wrong.body, say("wrong_token", lang))
        told.exit_code = UNKNOWN_TOKEN_CODE
        return told
    hinted = wrong.status in HINTED_STATUSES and wrong.body.get("type") != "/problems/unknown-version"
    return ProblemError(wrong.status, wrong.body, say(f"hint_{wrong.status}", lang) if hinted else "")


def _read_document(client: ApiClient, match: str, wish: ShowOptions) -> MatchDocument:
    path = f"/v1/matches/{quote(match, safe='')}"
    answer = client.get(path)
    about, unknown = answer.body, answer.is_token_unknown
    names = client.get(f"{path}/names").body["names"]
    if wish.at is not None:
        install_card_book(client, path, about, wish.lang)
        view = client.get(f"{path}/view", viewer=wish.viewer_name, version=wish.at).body
        return MatchDocument(about, names, [], view, unknown)
    entries = [add_milliseconds(entry) for entry in client.get_entries(match, 0, wish.viewer_name)]
    return MatchDocument(about, names, entries, None, unknown)


def install_card_book(client: ApiClient, path: str, about: JsonObject, lang: str) -> None:
    """Install the card book that a match is played with, if it has one.

    The table is described with the names of its cards. Raises NotShowableError if the text is not the card book that
    the match names, or this program cannot read it.
    """
    due = about.get("book")
    if not due or about.get("game") not in load_games():
        return
    text, named = client.get_text(f"{path}/book"), sanitize_line(str(about["edition"]))
    if hashlib.sha256(text.encode()).hexdigest() != due:
        raise NotShowableError(say("other_book", lang, edition=named))
    try:
        install_book_text(text, str(about["edition"]))
    except CardBookError as wrong:
        raise NotShowableError(say("unreadable_book", lang, edition=named, detail=wrong)) from wrong


def add_milliseconds(entry: JsonObject) -> JsonObject:
    """Return an entry with its time in ms added to the readable one."""
    return {**entry, "at_ms": parse_timestamp_ms(entry["at"])} if "at" in entry else entry


def print_document(told: MatchDocument, wish: ShowOptions) -> None:
    """Print a match, or write its page if one is asked for.

    Raises NotShowableError, UnwritableOutputError.
    """
    if wish.html is not None:
        write_page(told, wish, wish.html)
        return
    if wish.as_json:
        print_json(document_to_dict(told, wish))
        return
    out = make_console()
    width = out.width if out.is_terminal else None
    for line in render_document(told, wish, width):
        out.print(line)


def document_to_dict(told: MatchDocument, wish: ShowOptions) -> JsonObject:
    """Return a match as JSON data: the view, or the entries and turns."""
    if told.view is not None:
        return {"match": told.about, "view": told.view}
    last = told.entries[-1]["version"] if told.entries else 0
    upto = last if wish.upto is None else wish.upto
    chosen = (entry for entry in told.entries if wish.after < entry["version"] <= upto)
    entries = [{name: part for name, part in entry.items() if name != "at_ms" or "at" not in entry} for entry in chosen]
    turns = turns_response(
        filter_turns(build_turns(build_words(told.about, told.names), told.entries), wish.after, upto)
    )
    return {"match": told.about, "entries": entries, "turns": turns}


def render_document(
    told: MatchDocument, wish: ShowOptions, width: int | None, times: ZonedTimeFormat = LOCAL_FORMAT
) -> Iterator[str]:
    """Yield the lines to print, in rich's markup. Raises NotShowableError."""
    style = TimelineStyle(width, wish.clauses, wish.folded)
    yield from wrap_text("", render_headline(told.about, wish.lang), 2, width, "bold")
    if told.view is not None:
        yield from render_table(told, told.view, wish.lang, width)
        return
    protocol = Transcript(
        build_words(told.about, told.names), told.about, told.entries, build_page_options(wish, times)
    )
    seats = [f"{seat}: {who}" for seat, who in protocol.list_seats()]
    if seats:
        yield from wrap_text("", " · ".join(seats), 2, width, "")
    yield from render_timeline(protocol, style)
    if protocol.turns and protocol.last_shown == protocol.last_version:
        yield ""
        yield render_markup(protocol.render_word("outcome"), "bold")
        for line in protocol.describe_outcome():
            yield from wrap_text("  ", line, 4, width, "")
        if wish.clauses and protocol.end_clauses:
            yield from wrap_text("  ", " ".join(protocol.end_clauses), 2, width, "dim")


def render_table(told: MatchDocument, view: JsonObject, lang: str, width: int | None) -> Iterator[str]:
    """Yield the table of a view: its zones, the open question, who is awaited.

    Raises NotShowableError if this program does not have the game.
    """
    words = build_words(told.about, told.names)
    if words.game is None and view.get("table") is not None:
        raise NotShowableError(say("unknown_game", lang, game=told.about["game"]))
    yield render_markup(words.render_text("at.title", version=view["version"])[lang], "bold")
    nodes = build_table_nodes(words, view, lang)
    if not nodes:
        yield render_markup(words.render_text("at.lobby")[lang])
    for depth, label, value in flatten_nodes(nodes):
        yield from wrap_text("  " * depth, f"{label}: {value}".rstrip(), 2 * depth + 4, width, "")
    question, waits = describe_open_question(words, view)
    if question is not None:
        yield from wrap_text("", f"{words.render_text('at.question')[lang]}: {question[lang]}", 2, width, "")
    if waits:
        who = ", ".join(each[lang] for each in waits)
        yield from wrap_text("", f"{words.render_text('at.waits')[lang]}: {who}", 2, width, "")


def build_page_options(wish: ShowOptions, times: ZonedTimeFormat) -> TranscriptRequest:
    """Return the options in the form that a transcript takes."""
    return TranscriptRequest(wish.lang, times, wish.viewer, wish.after, wish.upto)


def write_page(told: MatchDocument, wish: ShowOptions, file: Path) -> None:
    """Write the transcript as a page. Raises UnwritableOutputError."""
    made = page.render_page(
        build_words(told.about, told.names), told.about, told.entries, build_page_options(wish, LOCAL_FORMAT)
    )
    try:
        file.write_text(made, "utf-8")
    except OSError as wrong:
        named = sanitize_line(str(file))
        raise UnwritableOutputError(say("unwritable", wish.lang, file=named, detail=wrong.strerror)) from wrong

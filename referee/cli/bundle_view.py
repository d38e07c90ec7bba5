"""Shows an exported match without a server: its entries, or the table.

Whether the file is true is another question, which `referee verify` answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from referee.audit.bundles.envelopes import EntryFormatError, parse_envelope
from referee.audit.bundles.export import FULL_VIEWERS, PUBLIC, WHOLE
from referee.audit.bundles.files import read_bundle_file
from referee.audit.bundles.format import Bundle, BundleError
from referee.audit.checks.rules import UnjudgeableError, check_card_book, run_guarded
from referee.cli.commands.histories.show import MatchDocument, NotShowableError, ShowOptions, say
from referee.cli.commands.rulings.judge import InvalidDataError, UnreadableInputError
from referee.engine.codec import encode
from referee.engine.rulebook.messages import describe_players
from referee.engine.seats import FULL_VIEWER
from referee.eventstore.contract import StoredEntry
from referee.match.aggregate import FINAL_STATUSES, Match
from referee.match.entries import LogEntry, decode_entry, decode_public_entry, effective_entries, replay_entries
from referee.queries import views
from referee.rendering import texts
from referee.tournament.state import GAME as TOURNAMENT


def read_bundle(file: Path, wish: ShowOptions) -> tuple[MatchDocument, ShowOptions]:
    """Read a bundle, and return it with the options for the viewer it is for.

    Without `--seat` or `--full` that is the viewer of the file. Raises UnreadableInputError (the file cannot be read),
    InvalidDataError (it is no bundle), NotShowableError (it holds too little for these options).
    """
    try:
        bundle = read_bundle_file(file)
    except OSError as wrong:
        raise UnreadableInputError(say("unreadable", wish.lang, file=file, detail=wrong.strerror)) from wrong
    except BundleError as wrong:
        raise InvalidDataError(say("no_bundle", wish.lang, file=file.name, detail=wrong)) from wrong
    if bundle.header.game == TOURNAMENT:
        raise NotShowableError(say("of_tournament", wish.lang, file=file.name))
    viewer = choose_viewer(bundle.header.eyes, wish.viewer, wish.lang)
    try:
        return run_guarded(lambda: _build_document(bundle, viewer, wish.at, wish.lang)), replace(
            wish, viewer=name_viewer(bundle.header.eyes, viewer)
        )
    except UnjudgeableError as wrong:
        if isinstance(wrong.__cause__, NotShowableError):
            raise wrong.__cause__ from None
        raise InvalidDataError(say("unshowable", wish.lang, file=file.name, detail=wrong)) from wrong


def choose_viewer(held: str, wished: str | int, lang: str = "en") -> int | None:
    """Return the viewer to restrict entries to; None: show all the file has.

    Raises NotShowableError if the file holds less than the viewer may see.
    """
    if wished == PUBLIC or str(wished) == held or (wished == WHOLE and held in FULL_VIEWERS):
        return None
    if held in FULL_VIEWERS and isinstance(wished, int):
        return wished
    key = {PUBLIC: "holds_public", WHOLE: "holds_all"}.get(held, "holds_seat")
    raise NotShowableError(say(key, lang, player=describe_players(held, lang)))


def name_viewer(held: str, viewer: int | None) -> str | int:
    """Return the viewer as a transcript names it."""
    if viewer is not None:
        return viewer
    return int(held) if held.isdecimal() else WHOLE if held in FULL_VIEWERS else held


def _build_document(bundle: Bundle, viewer: int | None, at: int | None, lang: str) -> MatchDocument:
    entries = list(restrict_to_viewer(decode_entries(bundle), viewer))
    if at is not None and not 1 <= at <= len(entries):
        raise NotShowableError(say("few_entries", lang, last=len(entries)))
    match = replay_bundle_entries(entries)
    if viewer is not None and viewer >= len(match.chairs):
        raise NotShowableError(say("no_player", lang, player=describe_players(viewer, lang), seat=viewer))
    about = match_to_dict(match, len(entries))
    if at is not None:
        return MatchDocument(about, {}, [], view_to_dict(replay_bundle_entries(entries[:at]), at))
    return MatchDocument(about, {}, [texts.entry_response(match.rules, entry, int(FULL_VIEWER)) for entry in entries])


def decode_entries(bundle: Bundle) -> Iterator[LogEntry]:
    """Yield the entries as the file has them.

    The card book that they need is installed first. Raises EntryFormatError.
    """
    for number, line in enumerate(bundle.entries, 1):
        data = parse_envelope(line.envelope)
        if number == 1 and (wrong := check_card_book(bundle, data["events"][0])):
            raise EntryFormatError(f"its card book is not the one that was played with ({wrong[0].key})")
        if data["version"] != number:
            raise EntryFormatError(f"entry {data['version']} stands where {number} belongs")
        part = next((each.part for each in line.parts if each.who in (bundle.header.eyes, WHOLE)), None)
        stored = StoredEntry(number, line.envelope.encode(), (part or "").encode(), line.root)
        yield decode_public_entry(stored) if part is None else decode_entry(stored)


def restrict_to_viewer(entries: Iterable[LogEntry], viewer: int | None) -> Iterator[LogEntry]:
    """Yield the entries as the viewer sees them; None: unchanged."""
    for entry in entries:
        if viewer is None:
            yield entry
        else:
            move, events = entry.view_for(viewer)
            yield replace(entry, move=move, events=events)


def replay_bundle_entries(entries: Sequence[LogEntry]) -> Match:
    """Return the match after these entries, with what they leave out unknown."""
    return replay_entries(Match(), effective_entries(entries))


def match_to_dict(match: Match, version: int) -> dict[str, Any]:
    """Return the match as data, as a transcript needs it."""
    seats = [
        {"seat": at, "kind": chair.kind, "level": chair.level, "taken": chair.taken}
        for at, chair in enumerate(match.chairs)
    ]
    return {
        "id": match.id, "game": match.game, "variant": match.variant, "edition": match.edition,
        "ruleset": match.ruleset, "status": match.public_status, "chance": match.chance, "seats": seats,
        "commitment": match.commitment, "version": version, "outcome": views.outcome_response(match),
    }  # fmt: skip


def view_to_dict(match: Match, version: int) -> dict[str, Any]:
    """Return the table of a match as data, in the form of a view of the API."""
    state = match.state
    asked = state if state is not None and state.agenda and match.status not in FINAL_STATUSES else None
    return {
        "match": match.id,
        "version": version,
        "status": match.status,
        "table": None if state is None else encode(state),
        "question": None if asked is None else texts.question_response(match.rules, asked),
        "awaits": views.awaited_response(match),
        "outcome": views.outcome_response(match),
    }

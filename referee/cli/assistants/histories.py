"""The tools about an exported match: its cards, one entry, whether it is true."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from referee.audit.bundles.export import FULL_VIEWERS, PUBLIC
from referee.audit.bundles.files import read_bundle_file
from referee.audit.bundles.format import Bundle, BundleError
from referee.audit.checks.rules import UnjudgeableError, run_guarded
from referee.audit.checks.verifier import build_unreadable_report, check_bundle
from referee.audit.reporting import render_report, report_to_dict
from referee.census.check import CensusClaim
from referee.census.observations import HEAP, IN_TRANSIT, START, collect_observations
from referee.cli.assistants.answers import Answer, UnanswerableError, choose_language, join_lines, render_section, say
from referee.cli.assistants.positions import render_census
from referee.cli.bundle_view import choose_viewer, decode_entries, replay_bundle_entries
from referee.cli.commands.histories.show import NotShowableError
from referee.cli.commands.histories.verify import read_public_key, read_receipts
from referee.cli.commands.rulings.judge import InvalidDataError, UnreadableInputError
from referee.cli.exit_codes import CommandMisuseError
from referee.engine.game import Game
from referee.engine.rulebook.messages import describe_players
from referee.engine.seats import BYSTANDER, FULL_VIEWER
from referee.match.entries import LogEntry, effective_entries
from referee.queries.census_views import match_census_response
from referee.queries.explanations import explain_listed_entry
from referee.tournament.state import GAME as TOURNAMENT

T = TypeVar("T")
MAX_LEGAL = 40  # other moves that an explanation lists
MAX_PLACES = 30  # that an error names
MAX_QUOTED = 60  # letters of a key that is none


@dataclass(frozen=True, slots=True)
class HeldMatch:
    """The entries of a bundle, and the viewer whose knowledge is used."""

    entries: Sequence[LogEntry]
    viewer: int


def count_match(bundle: str, seat: int | None, claim: CensusClaim | None, lang: str) -> Answer:
    """Return the census of an exported match, or of a claim about it.

    The claim may call a card by its name. Raises UnanswerableError if the file cannot be read or holds too little, and
    if no cards ever lay at the place of the claim.
    """
    held = open_match(bundle, seat, lang)
    game = _run(lambda: replay_bundle_entries(held.entries[:1]).rules, bundle, lang)
    if claim is not None:
        places = _run(lambda: _list_places(held), bundle, lang)
        if claim.place not in places:
            known = ", ".join([*places[:MAX_PLACES], *(["…"] if len(places) > MAX_PLACES else [])])
            raise UnanswerableError(say("no_place", lang, place=claim.place, known=known))
        claim = replace(claim, card=_find_card(game, claim.card))
    found = _run(lambda: match_census_response(game, list(held.entries), held.viewer, claim), bundle, lang)
    data = choose_language(found, lang)
    return Answer(join_lines(render_census(data, lang)), data)


def explain_entry(bundle: str, entry: int, seat: int | None, lang: str) -> Answer:
    """Return why an entry of an exported match is as it is.

    Raises UnanswerableError if the file cannot be read, holds too little, or has no such entry.
    """
    held = open_match(bundle, seat, lang)
    if not 1 <= entry <= len(held.entries):
        raise UnanswerableError(say("no_entry", lang, entry=entry, last=len(held.entries)))
    found = _run(lambda: explain_listed_entry(held.entries, held.viewer, entry), bundle, lang)
    data = choose_language(found, lang)
    return Answer(join_lines(_render_explanation(data, lang)), data)


def verify_bundle(bundle: str, keys: Sequence[str], receipts: Sequence[str], lang: str) -> Answer:
    """Return the report on an exported match.

    Raises UnanswerableError if a file cannot be read or a key is none. A file that is no bundle gets a report too.
    """
    path = _require_file(bundle, lang)
    trusted = [_read_key(key, lang) for key in keys]
    notes = [note for name in receipts for note in _read_notes(name, lang)]
    try:
        report = check_bundle(read_bundle_file(path), trusted, notes)
    except BundleError as wrong:
        report = build_unreadable_report("", wrong)
    except OSError as wrong:
        raise _build_unreadable_error(bundle, wrong, lang) from wrong
    return Answer(join_lines(render_report(report, lang)), choose_language(report_to_dict(report), lang))


def open_match(bundle: str, seat: int | None, lang: str) -> HeldMatch:
    """Return the entries of an exported match, for the viewer of the file or a seat.

    Raises UnanswerableError.
    """
    path = _require_file(bundle, lang)
    try:
        read = read_bundle_file(path)
    except OSError as wrong:
        raise _build_unreadable_error(bundle, wrong, lang) from wrong
    except BundleError as wrong:
        raise UnanswerableError(say("no_bundle", lang, file=bundle, line=wrong.line, detail=wrong.detail)) from wrong
    if read.header.game == TOURNAMENT:
        raise UnanswerableError(say("tournament", lang, file=bundle))
    viewer = _find_viewer(read, seat, lang)
    entries = _run(lambda: list(decode_entries(read)), bundle, lang)
    chairs = len(_run(lambda: replay_bundle_entries(entries[:1]), bundle, lang).chairs)
    if seat is not None and seat >= chairs:
        raise UnanswerableError(say("no_seat", lang, seat=seat, last=chairs - 1))
    return HeldMatch(entries, viewer)


def _list_places(held: HeldMatch) -> list[str]:
    """Return every place where cards lay in a match, by its name in a view."""
    found = collect_observations(effective_entries(held.entries), held.viewer)
    moved = {place for each in found.passages for place in (*each.took, *each.put)}
    return sorted({*found.list_cards_by_place(), *moved} - {IN_TRANSIT, HEAP, START})


def _find_card(game: Game, name: str) -> str:
    """Return the id of a card by its name in either language, else the name."""
    small = name.casefold()
    return next((key for key, names in game.rulebook.names.items() if small in map(str.casefold, names.values())), name)


def _find_viewer(bundle: Bundle, seat: int | None, lang: str) -> int:
    held = bundle.header.eyes
    if seat is not None:
        try:
            choose_viewer(held, seat)
        except NotShowableError as wrong:
            whose = describe_players(held, lang) if held.isdecimal() else say("everybody", lang)
            raise UnanswerableError(say("viewer", lang, seat=seat, whose=whose)) from wrong
        return seat
    return int(FULL_VIEWER) if held in FULL_VIEWERS else int(BYSTANDER) if held == PUBLIC else int(held)


def _require_file(name: str, lang: str) -> Path:
    """Return the path of a file. Raises UnanswerableError unless it is a plain one."""
    path = Path(name).expanduser()
    try:
        if path.is_file():
            return path
    except (OSError, ValueError):  # a name that no file can have
        pass
    raise UnanswerableError(say("no_file", lang, file=name))


def _read_key(key: str, lang: str) -> bytes:
    try:
        return read_public_key(key)
    except (CommandMisuseError, UnreadableInputError, ValueError) as wrong:
        raise UnanswerableError(say("no_key", lang, given=key[:MAX_QUOTED])) from wrong


def _read_notes(name: str, lang: str) -> list[str]:
    path = _require_file(name, lang)
    try:
        return read_receipts(path)
    except (UnreadableInputError, InvalidDataError) as wrong:
        raise UnanswerableError(say("no_receipts", lang, file=name)) from wrong


def _build_unreadable_error(name: str, wrong: OSError, lang: str) -> UnanswerableError:
    return UnanswerableError(say("unreadable", lang, file=name, detail=wrong.strerror or type(wrong).__name__))


def _run(command: Callable[[], T], bundle: str, lang: str) -> T:
    """Return the result of a command on a stranger's entries.

    Raises UnanswerableError whatever goes wrong, as no rule expects such data.
    """
    try:
        return run_guarded(command)
    except UnjudgeableError as wrong:
        raise UnanswerableError(say("unjudgeable", lang, file=bundle, detail=str(wrong))) from wrong


def _render_explanation(data: dict[str, Any], lang: str) -> Iterator[str]:
    yield say("entry", lang, entry=data["version"], who=data["seat"])
    if data["sentence"]:
        yield data["sentence"]
    if data["question"]:
        yield from render_section(say("asked", lang), [data["question"]["asks"]])
    if data["move"] and data["move"]["told"]:
        yield from render_section(say("move", lang), [data["move"]["told"]])
    yield from render_section(say("happened", lang), _render_events(data))
    yield from render_section(say("sums", lang), (each["says"] for each in data["numbers"]))
    yield from render_section(say("clauses", lang), (f"{each['id']}: {each['says']}" for each in data["clauses"]))
    legal = (data["otherwise"] or {}).get("legal") or []
    yield from render_section(
        say("otherwise", lang), [each["told"] or each["move"]["type"] for each in legal[:MAX_LEGAL]]
    )


def _render_events(data: dict[str, Any]) -> Iterator[str]:
    for each in data["events"]:
        cited = f" ({', '.join(each['clauses'])})" if each["clauses"] else ""
        yield f"{each['n']} {each['told']}{cited}"

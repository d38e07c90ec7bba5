"""`referee shadow`: finds rulings of a store that other rules would change.

Nothing is changed in the store.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import click

from referee.arbitration.replay.what_if import AlternativeRules, RulingDifference, find_ruling_differences
from referee.audit.checks import texts
from referee.cli.commands.running.keys import open_log
from referee.cli.output import print_json
from referee.cli.progress import track_progress
from referee.engine.rulebook.messages import format_message
from referee.eventstore.contract import MatchLog, partition_for_match
from referee.games import load_games
from referee.infrastructure.archives.archive import ArchiveMissing
from referee.infrastructure.integrity_check import iterate_matches
from referee.infrastructure.settings import Settings
from referee.match.aggregate import MatchStarted
from referee.match.entries import LogEntry
from referee.repository.card_books import CardBookRepository, CardBookTamperedError, UnknownEdition
from referee.tournament.state import is_tournament_id

PAGE = 200
# errors of one match; what the store itself raises is none of them
UNREADABLE_ERRORS = (ValueError, LookupError, RuntimeError, ArchiveMissing)
WORDS = {
    "game": {
        "en": "{game}, ruleset {ruleset}: {matches} matches, {entries} entries judged",
        "de": "{game}, Regelwerk {ruleset}: {matches} Partien, {entries} Einträge beurteilt",
    },
    "same": {"en": "every ruling would be the same", "de": "jede Entscheidung wäre dieselbe"},
    "clause": {
        "en": "by {clause}: {count} rulings would differ, in {in_matches} matches; as in {match}, entry {version}:",
        "de": "{clause}: {count} Entscheidungen wären anders, in {in_matches} Partien; {match}, Eintrag {version}:",
    },
    "none": {"en": "no other reading, but the program", "de": "keine andere Lesart, sondern das Programm"},
    "start": {
        "en": "The match would begin with another table: its cards or first steps are other ones.",
        "de": "Die Partie begänne mit einem anderen Tisch: mit anderen Karten oder anderen ersten Schritten.",
    },
    "unread": {"en": "{match} cannot be judged: {detail}", "de": "{match} ist nicht zu beurteilen: {detail}"},
    "nothing": {"en": "no matches", "de": "keine Partien"},
}  # fmt: skip


@dataclass
class ClauseDifferences:
    """Rulings that other readings of the same clauses change, with the first of them."""

    clauses: tuple[str, ...]
    example: dict[str, Any]
    count: int = 0
    matches: set[str] = field(default_factory=set)


@dataclass
class GameDifferences:
    """The differences found in the matches of a game."""

    matches: int = 0
    entries: int = 0
    found: dict[tuple[str, ...], ClauseDifferences] = field(default_factory=dict)

    def add_difference(self, difference: RulingDifference) -> None:
        """Add a ruling that would differ."""
        entry, wrong = difference.entry, difference.divergence
        if difference.clauses not in self.found:
            starts = isinstance(wrong.expected, MatchStarted) and isinstance(wrong.found, MatchStarted)
            finding = texts.build_divergence_finding(difference.match, entry, wrong)
            told = WORDS["start"] if starts else finding.details or finding.render_texts()
            example = {"match": entry.match, "version": entry.version, "kind": wrong.kind, "told": told}
            self.found[difference.clauses] = ClauseDifferences(difference.clauses, example)
        found = self.found[difference.clauses]
        found.count += 1
        found.matches.add(entry.match)


@dataclass
class ShadowReport:
    """The differences found in a store, by game.

    `unreadable` are the matches that could not be judged, with the reason.
    """

    games: dict[str, GameDifferences] = field(default_factory=dict)
    unreadable: dict[str, str] = field(default_factory=dict)

    @property
    def is_unchanged(self) -> bool:
        """Whether every match was judged and no ruling would differ."""
        return not self.unreadable and not any(game.found for game in self.games.values())


def parse_rules(ruleset: str | None, readings: tuple[str, ...]) -> AlternativeRules:
    """Return the rules that a command line names (`CLAUSE=NUMBER`).

    Raises BadParameter if no game has them.
    """
    if ruleset is not None and not any(ruleset in game.rulesets for game in load_games().values()):
        raise click.BadParameter("no game has this ruleset", param_hint="--ruleset")
    chosen = {}
    for given in readings:
        clause, _, number = given.partition("=")
        if not number.isdecimal():
            raise click.BadParameter(f"{given!r} is not CLAUSE=NUMBER", param_hint="--readings")
        having = [game for game in load_games().values() if clause in game.interpretations]
        wrong = [error for game in having for error in game.find_interpretation_errors({clause: int(number)})]
        if wrong or not having:
            known = ", ".join(sorted(name for game in load_games().values() for name in game.interpretations))
            detail = wrong[0]["detail"] if wrong else f"only one reading is carried out; of several: {known}"
            raise click.BadParameter(f"{clause}: {detail}", param_hint="--readings")
        chosen[clause] = int(number)
    return AlternativeRules(ruleset or "", chosen)


def judge_by_rules(
    settings: Settings, names: tuple[str, ...], rules: AlternativeRules, *, lang: str, as_json: bool
) -> int:
    """Judge matches by other rules, print what would differ, and return the exit code.

    If none is named, all matches of the store are judged, archived ones too. The code is 1 if a ruling would differ or
    a match cannot be judged. Raises StoreNotFoundError, BadParameter (no such match).
    """
    found = ShadowReport()
    with open_log(settings) as log:
        for name in names:
            if not _match_exists(log, name):
                raise click.BadParameter(f"there is no match {name}", param_hint="--match")
        library = CardBookRepository(log)
        every = (name for name in iterate_matches(log) if not is_tournament_id(name))
        for name in track_progress(names or every, "matches", len(names) or None, is_hidden=as_json):
            _judge_match(log, library, name, rules, found)
    if as_json:
        print_json(report_to_dict(found, rules))
    else:
        for line in render_report(found, rules, lang):
            click.echo(line)
    return 0 if found.is_unchanged else 1


def _match_exists(log: MatchLog, name: str) -> bool:
    """Whether there is a match of that name. A malformed id names none."""
    try:
        partition_for_match(name)
    except ValueError:
        return False
    return not is_tournament_id(name) and log.read(name, limit=0).head is not None


def _judge_match(
    log: MatchLog, library: CardBookRepository, name: str, rules: AlternativeRules, found: ShadowReport
) -> None:
    """Judge one match, and add what differs to `found`.

    If an entry cannot be read, the reason is recorded. The differences before it still count.
    """
    game: GameDifferences | None = None
    try:
        for logged, difference in find_ruling_differences(_read_entries(log, library, name), rules):
            if game is None:
                game = found.games.setdefault(logged.game, GameDifferences())
                game.matches += 1
            game.entries += 1
            if difference is not None:
                game.add_difference(difference)
    except UNREADABLE_ERRORS as wrong:
        kind = "" if type(wrong).__module__.startswith("referee.") else f"{type(wrong).__name__}: "
        prefix = {UnknownEdition: "unknown edition ", CardBookTamperedError: ""}.get(type(wrong), kind)
        found.unreadable[name] = f"{prefix}{wrong}"


def _read_entries(log: MatchLog, library: CardBookRepository, name: str) -> Iterator[LogEntry]:
    """Yield all entries of a match, with its card book installed."""
    after = 0
    while page := log.read_entries(name, after, PAGE):
        yield from library.decode_entries(page)
        after = page[-1].version


def _find_ruleset(game: str, rules: AlternativeRules) -> str:
    """Return the ruleset by which the matches of a game are judged."""
    box = load_games().get(game)
    return "?" if box is None else rules.ruleset if rules.ruleset in box.rulesets else box.newest_ruleset


def report_to_dict(found: ShadowReport, rules: AlternativeRules) -> dict[str, Any]:
    """Return the report as JSON data."""
    return {
        "readings": dict(rules.readings),
        "games": [
            {
                "game": name,
                "ruleset": _find_ruleset(name, rules),
                "matches": game.matches,
                "entries": game.entries,
                "differing": sum(each.count for each in game.found.values()),
                "by": [
                    {
                        "clauses": list(each.clauses),
                        "count": each.count,
                        "matches": len(each.matches),
                        "example": each.example,
                    }
                    for each in game.found.values()
                ],
            }
            for name, game in sorted(found.games.items())
        ],
        "unread": [{"match": match, "detail": detail} for match, detail in found.unreadable.items()],
    }


def render_report(found: ShadowReport, rules: AlternativeRules, lang: str) -> Iterator[str]:
    """Yield the lines of the report for people."""

    def word(key: str, **params: object) -> str:
        return format_message(WORDS[key][lang], lang, params)

    if not found.games and not found.unreadable:
        yield word("nothing")
    for name, game in sorted(found.games.items()):
        title = load_games()[name].title[lang] if name in load_games() else name
        yield word("game", game=title, ruleset=_find_ruleset(name, rules), matches=game.matches, entries=game.entries)
        for each in game.found.values():
            clause = ", ".join(each.clauses) or word("none")
            example = each.example
            at = {"match": example["match"], "version": example["version"]}
            yield "  " + word("clause", clause=clause, count=each.count, in_matches=len(each.matches), **at)
            yield f"    {example['told'][lang]}"
        if not game.found:
            yield "  " + word("same")
    for match, detail in found.unreadable.items():
        yield word("unread", match=match, detail=detail)

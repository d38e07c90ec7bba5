"""`referee shadow`: what other rules would rule otherwise in the matches of a store. It changes nothing there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import click

from referee.arbitration.replay.what_if import Difference, Otherwise, differences
from referee.audit.checks import texts
from referee.cli.commands.running.keys import reached
from referee.cli.output import aside, print_json
from referee.eventstore.contract import MatchLog, partition_of
from referee.games import games
from referee.infrastructure.archives.archive import Lost
from referee.infrastructure.integrity_check import matches
from referee.infrastructure.settings import Settings
from referee.match.aggregate import Started
from referee.match.entries import Logged
from referee.repository.card_books import BookSwapped, Library, UnknownEdition

PAGE = 200
TELL_EVERY = 25  # matches
UNREADABLE = (ValueError, LookupError, RuntimeError, Lost)  # of one match; what the store itself raises is none of them
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
class OfClauses:
    """Rulings that other readings of the same clauses make others, and the first of them."""

    clauses: tuple[str, ...]
    example: dict[str, Any]
    count: int = 0
    matches: set[str] = field(default_factory=set)


@dataclass
class OfGame:
    """What was found in the matches of a game."""

    matches: int = 0
    entries: int = 0
    found: dict[tuple[str, ...], OfClauses] = field(default_factory=dict)

    def add(self, difference: Difference) -> None:
        """Notes a ruling that would differ."""
        entry, wrong = difference.entry, difference.divergence
        if difference.clauses not in self.found:
            starts = isinstance(wrong.expected, Started) and isinstance(wrong.found, Started)
            finding = texts.divergence(difference.match, entry, wrong)
            told = WORDS["start"] if starts else finding.told or finding.texts()
            example = {"match": entry.match, "version": entry.version, "kind": wrong.kind, "told": told}
            self.found[difference.clauses] = OfClauses(difference.clauses, example)
        found = self.found[difference.clauses]
        found.count += 1
        found.matches.add(entry.match)


@dataclass
class Findings:
    """What was found in a store: by game, and the matches that could not be judged, with the reason."""

    games: dict[str, OfGame] = field(default_factory=dict)
    unread: dict[str, str] = field(default_factory=dict)

    @property
    def same(self) -> bool:
        """Whether every match was judged, and every ruling would be the same."""
        return not self.unread and not any(game.found for game in self.games.values())


def otherwise(ruleset: str | None, readings: tuple[str, ...]) -> Otherwise:
    """The rules that a command line names (`CLAUSE=NUMBER`). Raises UsageError where no game has them."""
    if ruleset is not None and not any(ruleset in game.rulesets for game in games().values()):
        raise click.BadParameter("no game has it", param_hint="--ruleset")
    chosen = {}
    for given in readings:
        clause, _, number = given.partition("=")
        if not number.isdecimal():
            raise click.BadParameter(f"{given!r} is not CLAUSE=NUMBER", param_hint="--readings")
        having = [game for game in games().values() if clause in game.readings]
        wrong = [error for game in having for error in game.misread({clause: int(number)})]
        if wrong or not having:
            known = ", ".join(sorted(name for game in games().values() for name in game.readings))
            detail = wrong[0]["detail"] if wrong else f"only one reading is carried out; of several: {known}"
            raise click.BadParameter(f"{clause}: {detail}", param_hint="--readings")
        chosen[clause] = int(number)
    return Otherwise(ruleset or "", chosen)


def shadow(settings: Settings, names: tuple[str, ...], rules: Otherwise, *, lang: str, as_json: bool) -> int:
    """Judges matches (none named: all of the store, the archived among them) by other rules, and prints what would
    differ; the exit code: 1 if anything does, or if a match cannot be judged. Raises NoStore, UsageError."""
    found = Findings()
    with reached(settings) as log:
        for name in names:
            if not _known(log, name):
                raise click.BadParameter(f"there is no match {name}", param_hint="--match")
        library = Library(log)
        for number, name in enumerate(names or matches(log), 1):
            _judge(log, library, name, rules, found)
            if number % TELL_EVERY == 0:
                aside(f"{number} matches")
    if as_json:
        print_json(told(found, rules))
    else:
        for line in lines(found, rules, lang):
            click.echo(line)
    return 0 if found.same else 1


def _known(log: MatchLog, name: str) -> bool:
    """Whether there is a match of that name; what is no id names none."""
    try:
        partition_of(name)
    except ValueError:
        return False
    return log.read(name, limit=0).head is not None


def _judge(log: MatchLog, library: Library, name: str, rules: Otherwise, found: Findings) -> None:
    """Judges one match. What cannot be read is noted, and what was found before it counts."""
    game: OfGame | None = None
    try:
        for logged, difference in differences(_entries(log, library, name), rules):
            if game is None:
                game = found.games.setdefault(logged.game, OfGame())
                game.matches += 1
            game.entries += 1
            if difference is not None:
                game.add(difference)
    except UNREADABLE as wrong:
        kind = "" if type(wrong).__module__.startswith("referee.") else f"{type(wrong).__name__}: "
        known = {UnknownEdition: "unknown edition ", BookSwapped: ""}.get(type(wrong), kind)
        found.unread[name] = f"{known}{wrong}"


def _entries(log: MatchLog, library: Library, name: str) -> Iterator[Logged]:
    """All entries of a match; the card book it is played with is installed."""
    after = 0
    while page := log.entries(name, after, PAGE):
        yield from library.unpacked(page)
        after = page[-1].version


def _ruleset(game: str, rules: Otherwise) -> str:
    """The ruleset that the matches of a game are judged by."""
    box = games().get(game)
    return "?" if box is None else rules.ruleset if rules.ruleset in box.rulesets else box.ruleset


def told(found: Findings, rules: Otherwise) -> dict[str, Any]:
    """All that was found, as JSON data."""
    return {
        "readings": dict(rules.readings),
        "games": [
            {
                "game": name,
                "ruleset": _ruleset(name, rules),
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
        "unread": [{"match": match, "detail": detail} for match, detail in found.unread.items()],
    }


def lines(found: Findings, rules: Otherwise, lang: str) -> Iterator[str]:
    """What was found, for people."""

    def word(key: str, **params: object) -> str:
        return WORDS[key][lang].format_map(params)

    if not found.games and not found.unread:
        yield word("nothing")
    for name, game in sorted(found.games.items()):
        title = games()[name].title[lang] if name in games() else name
        yield word("game", game=title, ruleset=_ruleset(name, rules), matches=game.matches, entries=game.entries)
        for each in game.found.values():
            clause = ", ".join(each.clauses) or word("none")
            example = each.example
            at = {"match": example["match"], "version": example["version"]}
            yield "  " + word("clause", clause=clause, count=each.count, in_matches=len(each.matches), **at)
            yield f"    {example['told'][lang]}"
        if not game.found:
            yield "  " + word("same")
    for match, detail in found.unread.items():
        yield word("unread", match=match, detail=detail)

"""`referee audit`: every match of a store, its log of roots and its keys, checked as a stranger would and as only the
host can. It changes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import click

from referee.audit.checks.findings import TEXTS, Report, gravest
from referee.audit.reporting import MOST, as_data, as_lines
from referee.audit.store_audit import Auditor, Looking
from referee.cli.commands.histories.verify import match_of, notes
from referee.cli.commands.rulings.judge import NoInput
from referee.cli.commands.running.keys import reached
from referee.cli.output import aside, print_json
from referee.eventstore.contract import MatchLog, StoreAway, partition_of
from referee.games import games
from referee.infrastructure import composition
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.clients import store_id
from referee.infrastructure.keyring import Keyring
from referee.infrastructure.settings import Settings
from referee.rendering.html import shown

TELL_EVERY = 25  # matches


@dataclass
class Audited:
    """What an audit has come to so far."""

    store: Report
    sound: int = 0
    entries: int = 0
    wrong: list[Report] = field(default_factory=list)
    last: str = ""

    @property
    def exit_code(self) -> int:
        """That of the gravest finding."""
        return gravest([self.store, *self.wrong])


def audit(
    settings: Settings,
    names: Sequence[str],
    receipts: Sequence[Path],
    *,
    after: str | None,
    lang: str,
    as_json: bool,
) -> int:
    """Checks these matches, or all of them; the exit code is that of the gravest finding. Raises HostError, NoStore,
    NoInput (no such match), WrongData (no receipts)."""
    kept = [note for path in receipts for note in notes(path)]
    games()  # what a log holds is read with the words of its game
    with reached(settings) as log:
        auditor = of(settings, log)
        found = Audited(auditor.leaves.report)
        try:
            for report in _reports(auditor, _chosen(auditor, names, after), kept):
                found.last = report.match
                found.entries += report.size
                if report.sound:
                    found.sound += 1
                    continue
                found.wrong.append(report)
                if not as_json:
                    _tell(report, lang)
        except (KeyboardInterrupt, StoreAway):
            if found.last:
                aside(f"broken off; `referee audit --after {found.last}` goes on")
            raise
    if as_json:
        print_json(_told(found))
    else:
        _sum_up(found, lang)
    return found.exit_code


def of(settings: Settings, log: MatchLog) -> Auditor:
    """Who audits that store. Raises HostError."""
    quiet = replace(settings, queue_url=None)  # nobody is woken
    looking = Looking(log, Keyring(settings.signing_key_file), store_id(settings))
    return Auditor(composition.desk(quiet, log), Archive(settings.archive), looking)


def _chosen(auditor: Auditor, names: Sequence[str], after: str | None) -> list[str]:
    """The matches to look at, in their order. Raises NoInput."""
    for name in (*names, *([after] if after else ())):
        try:
            partition_of(name)
        except ValueError as wrong:
            raise NoInput(str(wrong)) from wrong
    if names:
        known = set(auditor.names())
        if unknown := [name for name in names if name not in known]:
            raise NoInput(f"there is no match {unknown[0]}")
        return sorted(set(names))
    return [name for name in auditor.names() if after is None or name > after]


def _reports(auditor: Auditor, names: Sequence[str], kept: Iterable[str]) -> Iterator[Report]:
    of_match: dict[str, list[str]] = {}
    for note in kept:
        of_match.setdefault(match_of(note), []).append(note)
    for stray in sorted(of_match.keys() - set(names)):
        aside(f"a receipt is of {shown(stray) or 'no match'}, which is not looked at")
    for at, name in enumerate(names, 1):
        yield auditor.report(name, of_match.get(name, ()))
        if at % TELL_EVERY == 0 or at == len(names):
            aside(f"{at} of {len(names)} matches, {name}")


def _tell(report: Report, lang: str) -> None:
    for line in as_lines(report, lang):
        click.echo(shown(line))
    click.echo()


def _sum_up(found: Audited, lang: str) -> None:
    for finding in found.store.findings[:MOST]:
        click.echo(shown(finding.texts()[lang]))
    count = found.sound + len(found.wrong)
    params: dict[str, Any] = {"matches": count, "entries": found.entries, "wrong": len(found.wrong)}
    roots = {"leaves": found.store.size, "keys": len(found.store.keys)}
    click.echo(TEXTS["audit.matches"][lang].format(**params))
    click.echo(TEXTS["audit.roots" if found.store.sound else "audit.roots_wrong"][lang].format(**roots))


def _told(found: Audited) -> dict[str, Any]:
    store = as_data(found.store)
    return {
        "audited": found.sound + len(found.wrong),
        "sound": found.sound,
        "entries": found.entries,
        "matches": [as_data(report) for report in found.wrong],
        "roots": {name: store[name] for name in ("size", "sound", "keys", "checks", "findings")},
        "last": found.last or None,
        "exit_code": found.exit_code,
    }

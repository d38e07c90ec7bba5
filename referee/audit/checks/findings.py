"""What an audit finds: kinds of failure with exit codes, and texts (texts.yaml)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import IntEnum
from pathlib import Path
from typing import Any

from referee.audit.facts import NO_FACTS, MatchFacts, MatchFrame
from referee.engine.rulebook.book import LANGUAGES, Text, read_yaml
from referee.engine.rulebook.messages import format_message
from referee.tournament.state import GAME as TOURNAMENT
from referee.tournament.state import is_tournament_id

MATCH = "match"
TEXTS: dict[str, Text] = read_yaml(Path(__file__).parent / "texts.yaml")


class FindingKind(IntEnum):
    """A kind of failure; its number is the exit code of `referee verify` and `audit`."""

    UNREADABLE = 10  # no bundle, or an incomplete one
    KEY = 11  # a key that no trusted key names
    SIGNATURE = 12  # a checkpoint or receipt that the key has not signed
    VERSION = 13  # an entry that is missing, repeated, out of place, or of another match
    ROOT = 14  # the entries are not those under the root
    FORK = 15  # two signed things that contradict each other: one of the two was rewritten
    OPENING = 16  # a hidden part that is not what was committed to
    CHANCE = 17  # a draw that the secret does not give
    RULES = 18  # an entry that is not what the rules say
    CENSUS = 19  # cards that cannot be where the entries say
    BOOK = 20  # not the card book of the match
    PUBLISHED = 21  # not the root that was published
    STORE = 22  # the store's own records (head, feed, archive) contradict the log
    TIME = 23  # times that contradict each other
    DEVICE = 25  # not what the device of a player signed
    THOUGHT = 26  # not what the view of a bot's seat gives


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """Something wrong: its kind, its text as key and parameters, and the entry if any.

    `details` says more in the words of the game (a ruling, what was expected and found).
    """

    kind: FindingKind
    key: str
    version: int | None = None
    params: dict[str, Any] = field(default_factory=dict)
    details: Text | None = None

    def render_texts(self) -> Text:
        """Return the sentence in every language. Raises KeyError if it has none."""
        return {
            lang: format_message(TEXTS[self.key][lang], lang, {"kind": MATCH, "version": self.version, **self.params})
            for lang in LANGUAGES
        }


@dataclass(frozen=True, slots=True)
class AuditNotice:
    """Something to know that is not wrong: its text as key and parameters."""

    key: str
    params: dict[str, Any] = field(default_factory=dict)

    def render_texts(self) -> Text:
        """Return the sentence in every language. Raises KeyError if it has none."""
        params = {"kind": MATCH, **self.params}
        return {lang: format_message(TEXTS[self.key][lang], lang, params) for lang in LANGUAGES}


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One check: `done`, `failed`, or `skipped` with the key of the reason."""

    name: str
    state: str
    reason: str = ""


@dataclass(frozen=True)
class AuditReport:
    """The result of the checks of one match.

    `size` is the number of entries. `keys` are the fingerprints (SHA-256, hex) of the keys that signatures were checked
    with. `trusted` says whether those were given from outside, and not by the bundle itself. `receipted` is the last
    entry up to which a receipt that somebody kept fits (0: none). `notices` are not wrong, but good to know. `facts`
    are what the public part of the match says. `root` is that over all entries; empty if they could not be read.
    `frame` is what match it is, None if the file does not say.
    """

    match: str
    size: int
    checks: tuple[CheckResult, ...] = ()
    findings: tuple[AuditFinding, ...] = ()
    keys: tuple[str, ...] = ()
    trusted: bool = False
    receipted: int = 0
    notices: tuple[AuditNotice, ...] = ()
    facts: MatchFacts = NO_FACTS
    root: bytes = b""
    frame: MatchFrame | None = None

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings

    @property
    def exit_code(self) -> int:
        """0, or the code of the gravest finding.

        The smaller the number of a kind, the less can be said of what comes after it.
        """
        return min((int(finding.kind) for finding in self.findings), default=0)


def find_subject(match: str) -> str:
    """Return what an id names, as texts choose their words by it (`kind`)."""
    return TOURNAMENT if is_tournament_id(match) else MATCH


def name_subject(report: AuditReport) -> AuditReport:
    """Return a report whose sentences speak of a tournament if it is about one."""
    if find_subject(report.match) == MATCH:
        return report
    kind = {"kind": TOURNAMENT}
    return replace(
        report,
        findings=tuple(replace(each, params=kind | each.params) for each in report.findings),
        notices=tuple(replace(each, params=kind | each.params) for each in report.notices),
    )


def find_gravest_exit_code(reports: Iterable[AuditReport]) -> int:
    """Return the exit code of several reports."""
    return min((report.exit_code for report in reports if not report.is_sound), default=0)

"""A bundle under the rules: entries replayed, draws repeated, cards counted."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from referee.arbitration.replay.replay import LogReplay
from referee.audit.bundles.export import MOVING, WHOLE
from referee.audit.bundles.format import Bundle, DrawLine, EntryLine
from referee.audit.checks import actors, randomness, texts
from referee.audit.checks import commitments as openings
from referee.audit.checks.findings import AuditFinding, AuditNotice, FindingKind
from referee.audit.checks.thoughts import ThoughtChecker, find_bot_seats
from referee.audit.checks.times import QuestionTimer
from referee.census.check import take_census
from referee.engine.game import Game
from referee.engine.seats import BYSTANDER, FULL_VIEWER
from referee.eventstore.contract import StoredEntry
from referee.games import load_games
from referee.games.books import install_book_text
from referee.match.aggregate import FINAL_STATUSES, Match
from referee.match.entries import LogEntry, decode_entry, decode_public_entry, effective_entries

T = TypeVar("T")
MOST_DRAWS = 5  # the most wrong draws that are reported; after one, the others are hardly right


class UnjudgeableError(Exception):
    """A stranger's entry broke the code that judges it; the message says how."""


def run_guarded(command: Callable[[], T]) -> T:
    """Run a command on a stranger's data, and return its result.

    Raises UnjudgeableError whatever the command raises, because no rule expects such data.
    """
    try:
        return command()
    except Exception as wrong:
        detail = str(wrong).partition("\n")[0][:200]
        raise UnjudgeableError(f"{type(wrong).__name__}: {detail}" if detail else type(wrong).__name__) from wrong


@dataclass
class Judgement:
    """The findings by kind of check.

    `gave_up` gives the reason why a check was not made, or not completed.
    """

    openings: list[AuditFinding] = field(default_factory=list)
    rules: list[AuditFinding] = field(default_factory=list)
    chance: list[AuditFinding] = field(default_factory=list)
    census: list[AuditFinding] = field(default_factory=list)
    claims: list[AuditFinding] = field(default_factory=list)
    times: list[AuditFinding] = field(default_factory=list)
    thoughts: list[AuditFinding] = field(default_factory=list)
    notices: list[AuditNotice] = field(default_factory=list)
    gave_up: dict[str, str] = field(default_factory=dict)


def check_card_book(bundle: Bundle, opened: Mapping[str, Any]) -> list[AuditFinding]:
    """Return findings unless the card book is the one that the match was opened with.

    The right book is installed in this process.
    """
    due, kept = opened.get("book", ""), bundle.book
    if kept is None:
        return [AuditFinding(FindingKind.BOOK, "book.missing", 1)] if due else []
    name = {"name": kept.name[:100]}
    if hashlib.sha256(kept.text.encode()).hexdigest() != due:
        return [AuditFinding(FindingKind.BOOK, "book.other", 1, name)]
    try:
        found = run_guarded(lambda: install_book_text(kept.text, kept.name))
    except UnjudgeableError as wrong:
        return [AuditFinding(FindingKind.BOOK, "book.misprinted", 1, {**name, "detail": str(wrong)})]
    wrong_name = (found.name, found.edition, found.game) != (kept.name, opened.get("edition"), opened.get("game"))
    return [AuditFinding(FindingKind.BOOK, "book.other", 1, name)] if wrong_name else []


def judge_entries(
    bundle: Bundle,
    entries: list[dict[str, Any]],
    opened: Mapping[str, Any],
    secrets: Mapping[int, bytes],
    until: float | None,
    note_thought: Callable[[], None] | None = None,
) -> Judgement:
    """Return the judgement on the entries of a bundle whose envelopes were read.

    `until` is the time on the monotonic clock at which to give up (None: never). `note_thought`: repeat the thoughts of
    bots, and call this for each.
    """
    found = Judgement()
    name = opened.get("game")
    if not isinstance(name, str) or name not in load_games():
        params = {"game": str(name)[:100]}
        found.rules.append(AuditFinding(FindingKind.RULES, "rules.no_such_game", 1, params))
        return found
    game = load_games()[name]
    if opened.get("ruleset") not in game.rulesets:
        params = {"found": str(opened.get("ruleset"))[:100], "known": ", ".join(game.rulesets)}
        found.rules.append(AuditFinding(FindingKind.RULES, "rules.unknown_ruleset", 1, params))
        return found
    whose = openings.find_part_owner(bundle.header.eyes)
    read: list[LogEntry] = []
    thoughts = None if note_thought is None else ThoughtChecker(find_bot_seats(entries), secrets, note_thought)
    reader = (
        _FullReplay(bundle, secrets, found, thoughts) if whose == WHOLE else _PartialReplay(found, _parse_viewer(whose))
    )
    for line, envelope in zip(bundle.entries, entries, strict=True):
        if until is not None and time.monotonic() > until:
            found.gave_up |= dict.fromkeys(("rules", "chance", "census", "thoughts"), "no_time")
            break
        try:
            logged = run_guarded(lambda line=line: decode_line(line))  # type: ignore[misc]
        except UnjudgeableError as wrong:
            found.rules.append(AuditFinding(FindingKind.RULES, "rules.unknown", line.version, {"detail": str(wrong)}))
            break
        if not reader.apply_entry(logged, envelope):
            break
        read.append(logged)
    else:
        if reader.match.status != bundle.header.status:
            params = {"field": "status", "claimed": bundle.header.status[:100]}
            found.claims.append(AuditFinding(FindingKind.VERSION, "header.claims", None, params))
        on_its_way = bundle.header.eyes == MOVING and reader.match.gone is not None
        over = reader.match.status in FINAL_STATUSES or on_its_way  # then the secrets are disclosed
        if bundle.header.eyes in (WHOLE, MOVING) or ((bundle.secrets or over) and whose == WHOLE):
            found.openings += (
                openings.find_missing_secrets(bundle, entries)
                if over
                else [AuditFinding(FindingKind.OPENING, "secret.too_early")]
            )
    reader.finish_replay(len(read) == len(entries))
    _check_census(found, game, read, _parse_viewer(whose))
    return found


def _parse_viewer(whose: str | None) -> int:
    if not whose:
        return int(BYSTANDER)
    return int(FULL_VIEWER) if whose == WHOLE else int(whose)


def decode_line(line: EntryLine) -> LogEntry:
    """Return the entry of a line as the bundle's viewer knows it."""
    parts = line.parts
    entry = StoredEntry(line.version, line.envelope.encode(), parts[0].part.encode() if parts else b"", line.root)
    return decode_entry(entry) if parts else decode_public_entry(entry)


class _PartialReplay:
    """A replay of entries of which only a part is known.

    It folds them, which shows whether they fit and what the match becomes. Only a replay of complete entries shows
    whether they are what the rules say.
    """

    def __init__(self, found: Judgement, viewer: int) -> None:
        self.found = found
        self._reading = LogReplay()
        self.found.gave_up |= {"rules": "hidden", "chance": "hidden", "thoughts": "hidden"}

    @property
    def match(self) -> Match:
        """The match after the entries so far."""
        return self._reading.match

    def apply_entry(self, logged: LogEntry, envelope: Mapping[str, Any]) -> bool:
        """Apply an entry, and return False if it does not fit those before it."""
        try:
            run_guarded(lambda: self._reading.append_entry(logged))
        except UnjudgeableError as wrong:
            self.found.rules.append(
                AuditFinding(FindingKind.RULES, "rules.unfit", logged.version, {"detail": str(wrong)})
            )
            return False
        other = openings.check_named_rules(self.match, envelope)
        self.found.rules += [] if other is None else [other]
        return other is None

    def finish_replay(self, whole: bool) -> None:
        """End the replay. `whole` says whether all entries were applied."""


class _FullReplay(_PartialReplay):
    """A replay of complete entries, each judged by the match before it.

    It ends at the first wrong one.
    """

    def __init__(
        self, bundle: Bundle, secrets: Mapping[int, bytes], found: Judgement, thoughts: ThoughtChecker | None
    ) -> None:
        self.found, self._reading, self._thoughts = found, LogReplay(), thoughts
        self._secrets, self._lines = secrets, {line.version: line for line in bundle.draws}
        self._due: dict[int, DrawLine] = {}
        self._upto = 0
        self._timer = QuestionTimer()
        if len(self._lines) != len(bundle.draws):
            found.chance.append(AuditFinding(FindingKind.CHANCE, "draw.twice"))
        self._listed = bool(bundle.secrets)
        if not secrets:
            found.gave_up |= {"chance": "no_secret", "thoughts": "no_secret"}
        elif thoughts is not None and not thoughts.seats:
            found.gave_up["thoughts"] = "no_bots"

    def apply_entry(self, logged: LogEntry, envelope: Mapping[str, Any]) -> bool:
        """Judge an entry and apply it; return False if it is not what the rules say."""
        before = self.match
        try:
            wrong = run_guarded(lambda: self._judge_entry(before, logged))
        except UnjudgeableError as broken:
            wrong = AuditFinding(FindingKind.RULES, "rules.unjudgeable", logged.version, {"detail": str(broken)})
        if wrong is not None:
            self.found.rules.append(wrong)
            return False
        if not super().apply_entry(logged, envelope):
            return False
        if (early := self._timer.check_entry(before, logged)) is not None and len(self.found.times) < MOST_DRAWS:
            self.found.times.append(early)
        self._timer.note_entry(before, self.match, logged)
        self._check_thought(before, logged)
        self._upto = logged.version
        secret = self._secrets.get(randomness.get_secret_generation(self.match))
        try:
            shown = run_guarded(lambda: openings.check_envelope(self.match, logged, envelope, secret))
        except UnjudgeableError as broken:
            shown = AuditFinding(FindingKind.OPENING, "opening.unjudgeable", logged.version, {"detail": str(broken)})
        if shown is not None:
            self.found.openings.append(shown)
        return len(self.found.openings) < MOST_DRAWS

    def _check_thought(self, before: Match, logged: LogEntry) -> None:
        """Repeat the thought behind an entry, if that was asked for."""
        thoughts = self._thoughts
        if thoughts is None or not self._secrets:
            return
        try:
            wrong = run_guarded(lambda: thoughts.check_entry(logged))
            run_guarded(lambda: thoughts.note_entry(before, logged, self.match))
        except UnjudgeableError as broken:
            params = {"detail": str(broken)}
            wrong = AuditFinding(FindingKind.THOUGHT, "thought.unjudgeable", logged.version, params)
            self._thoughts = None  # nothing after it can be thought again
        if wrong is not None and len(self.found.thoughts) < MOST_DRAWS:
            self.found.thoughts.append(wrong)

    def _judge_entry(self, before: Match, logged: LogEntry) -> AuditFinding | None:
        if randomness.is_server_draw(before, logged):
            self._redo_draw(before, logged)
        wrong = self._reading.find_divergence(logged)
        return (
            actors.check_actor(before, logged)
            if wrong is None
            else texts.build_divergence_finding(before, logged, wrong)
        )

    def _redo_draw(self, before: Match, logged: LogEntry) -> None:
        """Repeat the server's draw for an entry, and compare."""
        secret = self._secrets.get(randomness.get_secret_generation(before))
        if secret is None:
            return
        due = randomness.redo_draw(before, logged.version, secret)
        self._due[logged.version] = due.line
        if due.outcome != logged.move and len(self.found.chance) < MOST_DRAWS:
            self.found.chance.append(texts.build_draw_finding(before, logged, due.outcome))

    def finish_replay(self, whole: bool) -> None:
        """Compare the bundle's own draw lines with the draws that were repeated."""
        if self._thoughts is not None:
            self.found.notices += self._thoughts.list_notices()
            if self._thoughts.seats and not self._thoughts.repeated:
                self.found.gave_up.setdefault("thoughts", "none_repeated")  # what nobody has checked is not in order
        if not self._listed:
            return
        versions = {version for version in self._lines if whole or version <= self._upto} | self._due.keys()
        different = [version for version in versions if self._lines.get(version) != self._due.get(version)]
        for version in sorted(different)[:MOST_DRAWS]:
            key = "draw.other" if version in self._lines else "draw.missing"
            self.found.chance.append(AuditFinding(FindingKind.CHANCE, key, version))


def _check_census(found: Judgement, game: Game, read: list[LogEntry], viewer: int) -> None:
    """Count the cards of the entries that were read."""
    if not read or "census" in found.gave_up:
        return
    try:
        census = run_guarded(lambda: take_census(effective_entries(read), viewer))
        found.census += run_guarded(lambda: list(texts.build_census_findings(game, census)))
    except UnjudgeableError as wrong:
        found.census.append(AuditFinding(FindingKind.CENSUS, "census.unjudgeable", None, {"detail": str(wrong)}))
        return
    if not census.sure:
        found.gave_up["census"] = "too_many_ways"


def find_opening_event(entries: Iterable[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return the opening event in the first entry as JSON data, or an empty one."""
    first = next(iter(entries), {"events": ()})
    named = (each for each in first["events"] if isinstance(each, dict))
    return next((each for each in named if each.get("type") == openings.OPENED), {})

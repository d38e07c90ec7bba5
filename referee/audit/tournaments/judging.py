"""A tournament's bundle under the rules: each command is decided again.

In a full bundle every entry has to be just what the rules give. In a public one a few commands are hidden, and what
they say of players; there an entry has to be what the rules give with some hidden part (`candidates.py`). With the
secret of the lots, which a bundle holds after the end, the lots and pairings are repeated; without it, they have to be
possible ones. That a result is the one that the match of its table had, only the bundle of that match shows.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any

from referee.audit.bundles.export import PUBLIC, SEALED, WHOLE
from referee.audit.bundles.format import Bundle
from referee.audit.checks import commitments
from referee.audit.checks.findings import AuditFinding, AuditNotice, FindingKind
from referee.audit.checks.rules import MOST_DRAWS, Judgement, UnjudgeableError, decode_line, run_guarded
from referee.audit.tournaments import texts
from referee.audit.tournaments.candidates import list_candidates
from referee.audit.tournaments.former_views import build_former_entry, view_as_before
from referee.audit.tournaments.lots import fits_some_lots, redo_lots
from referee.engine.events import Event
from referee.engine.rulings import IllegalMove
from referee.engine.seats import BYSTANDER
from referee.match.entries import LogEntry
from referee.tournament import commands
from referee.tournament.deciding.dispatch import CHANCE_COMMANDS, handle_command
from referee.tournament.deciding.evidence import Evidence
from referee.tournament.deciding.opening import decide_opening, find_format_errors
from referee.tournament.events import TournamentOpened, fold_events
from referee.tournament.rulebook import TOURNAMENT_BOOK
from referee.tournament.state import GAME, LOTS, REFEREED, RULESET, Tournament
from referee.transparency import randomness

OPENED = "tournament.Opened"
COMMITMENT = re.compile("[0-9a-f]{64}")
NO_SUCH_CHECK = "tournament"  # the reason why a check of matches is not made
UNUSED_CHECKS = ("book", "census", "thoughts")
ACTORS = ("host", "official", "player", "server", "clock", "match")
PLAYERS_COMMANDS = (
    commands.AcceptOfficer, commands.AnswerResult, commands.CallOfficer, commands.Concede, commands.DepositDeck,
    commands.OpenAppeal, commands.ReportResult,
)  # fmt: skip
Events = tuple[Event, ...]


def judge_tournament(
    bundle: Bundle, entries: Sequence[Mapping[str, Any]], known: Mapping[int, bytes], until: float | None
) -> Judgement:
    """Return the judgement on the entries of a tournament's bundle.

    `entries` are the envelopes. `known` are secrets that count without a check, `until` the time on the monotonic clock
    at which to give up (None: never).
    """
    found = Judgement(gave_up=dict.fromkeys(UNUSED_CHECKS, NO_SUCH_CHECK))
    if bundle.header.eyes not in (PUBLIC, WHOLE, SEALED):
        found.claims.append(_build_claim("eyes", bundle.header.eyes))
        found.gave_up |= dict.fromkeys(("rules", "chance"), "unread")
        return found
    whose = WHOLE if bundle.header.eyes != PUBLIC else ""
    parts = (commitments.check_parts(*pair, whose) for pair in zip(bundle.entries, entries, strict=True))
    if (wrong := next((each for each in parts if each is not None), None)) is not None:
        found.openings.append(wrong)
        found.gave_up |= dict.fromkeys(("rules", "chance"), "unread")
        return found
    secret = _check_secrets(bundle, entries, found) or known.get(LOTS)
    found.chance += [
        AuditFinding(FindingKind.CHANCE, "draw.other", line.version) for line in bundle.draws[:MOST_DRAWS]
    ]  # a tournament has no lines of draws, because all lots are drawn again
    replay = _TournamentReplay(bundle, found, secret, is_whole=bool(whose))
    for line, envelope in zip(bundle.entries, entries, strict=True):
        if until is not None and time.monotonic() > until:
            found.gave_up |= dict.fromkeys(("rules", "chance"), "no_time")
            return found
        try:
            logged = run_guarded(lambda line=line: decode_line(line))  # type: ignore[misc]
        except UnjudgeableError as broken:
            found.rules.append(AuditFinding(FindingKind.RULES, "rules.unknown", line.version, {"detail": str(broken)}))
            break
        if not replay.apply_entry(logged, envelope):
            break
    else:
        replay.finish()
    return found


def _check_secrets(bundle: Bundle, entries: Sequence[Mapping[str, Any]], found: Judgement) -> bytes | None:
    """Return the secret of the lots, if the bundle holds the right one."""
    for line in bundle.secrets[:1]:
        opened = next((each for each in entries[0]["events"] if isinstance(each, dict)), {})
        if line.generation != LOTS or len(bundle.secrets) > 1:
            params = {"generation": bundle.secrets[-1].generation}
            found.openings.append(AuditFinding(FindingKind.OPENING, "secret.out_of_place", None, params))
        elif randomness.compute_commitment(line.secret) != opened.get("commitment"):
            found.openings.append(AuditFinding(FindingKind.OPENING, "secret.other", 1, {"generation": LOTS}))
        else:
            return line.secret
    return None


@dataclass
class _TournamentReplay:
    """A tournament as its entries make it, each judged by the tournament before it."""

    bundle: Bundle
    found: Judgement
    secret: bytes | None
    is_whole: bool
    state: Tournament = field(default_factory=Tournament)
    hidden: int = 0  # entries of which only a part was judged

    def apply_entry(self, logged: LogEntry, envelope: Mapping[str, Any]) -> bool:
        """Judge an entry and apply it; return whether to go on after it."""
        try:
            wrong = run_guarded(lambda: self._judge(logged))
        except UnjudgeableError as broken:
            wrong = AuditFinding(FindingKind.RULES, "rules.unjudgeable", logged.version, {"detail": str(broken)})
        if wrong is not None:
            (self.found.chance if wrong.kind is FindingKind.CHANCE else self.found.rules).append(wrong)
            if wrong.kind is FindingKind.RULES:
                return False
        try:
            self.state = run_guarded(lambda: fold_events(self.state, logged.events))
        except UnjudgeableError as broken:
            params = {"detail": str(broken)}
            self.found.rules.append(AuditFinding(FindingKind.RULES, "rules.unfit", logged.version, params))
            return False
        self.hidden += logged.move is None
        if (other := commitments.check_named_rules(self.state, envelope)) is not None:
            self.found.rules.append(other)
        if envelope["commitments"].keys() != {WHOLE} or not COMMITMENT.fullmatch(envelope["commitments"][WHOLE]):
            params = {"whose": ", ".join(sorted(envelope["commitments"]))[:100] or "–"}
            self.found.openings.append(AuditFinding(FindingKind.OPENING, "opening.commitments", logged.version, params))
        elif self.is_whole:
            try:
                shown = run_guarded(lambda: self._check_public_part(logged, envelope))
            except UnjudgeableError as broken:
                params = {"detail": str(broken)}
                shown = AuditFinding(FindingKind.OPENING, "opening.unjudgeable", logged.version, params)
            self.found.openings += [] if shown is None else [shown]
        return len(self.found.chance) + len(self.found.openings) < MOST_DRAWS

    def _check_public_part(self, logged: LogEntry, envelope: Mapping[str, Any]) -> AuditFinding | None:
        """Return what is wrong with what everybody saw of an entry.

        It may be as in logs of earlier versions.
        """
        found = commitments.check_envelope(self.state, logged, envelope, None)
        if found is None or commitments.check_envelope(self.state, build_former_entry(logged), envelope, None) is None:
            return None
        return found

    def finish(self) -> None:
        """Hold the header and the secret against how the tournament ended."""
        if self.state.status != self.bundle.header.status:
            self.found.claims.append(_build_claim("status", self.bundle.header.status))
        if self.state.is_over and not self.bundle.secrets:
            params = {"generation": LOTS}
            self.found.openings.append(AuditFinding(FindingKind.OPENING, "secret.missing", 1, params))
        elif not self.state.is_over and (self.bundle.secrets or self.bundle.header.eyes == WHOLE):
            self.found.openings.append(AuditFinding(FindingKind.OPENING, "secret.too_early"))
        if self.secret is None:
            self.found.gave_up["chance"] = "no_secret"
        self.found.notices += _list_notices(self.state, self.hidden)

    # -- one entry -----------------------------------------------------------------------------------------------------

    def _judge(self, logged: LogEntry) -> AuditFinding | None:
        if wrong := check_actor(logged):
            return wrong
        unknown = [name for name in logged.clauses if name not in TOURNAMENT_BOOK.clauses]
        if unknown or not logged.clauses:
            params = {"found": ", ".join(unknown)[:400] or "–"}
            return AuditFinding(FindingKind.RULES, "entry.clauses", logged.version, params)
        if not logged.events:
            return AuditFinding(FindingKind.RULES, "rules.facts", logged.version, {"at": f"{logged.version}.0"})
        try:
            return self._compare(logged)
        except IllegalMove as refused:
            details = texts.describe_refusal(logged.move, refused)
            return AuditFinding(FindingKind.RULES, "tournament.illegal", logged.version, {}, details)

    def _compare(self, logged: LogEntry) -> AuditFinding | None:
        """Return a finding unless the rules give the events of an entry.

        Raises IllegalMove.
        """
        if logged.version == 1:
            expected = self._decide_opening(logged)
        elif isinstance(logged.move, CHANCE_COMMANDS):
            return self._compare_lots(logged)
        elif self.is_whole:
            assert logged.move is not None
            expected = handle_command(Evidence(self.state, logged.version - 1, logged.at_ms), logged.move)
        else:
            return self._compare_candidates(logged)
        return None if expected == logged.events else _build_difference(logged, expected)

    def _decide_opening(self, logged: LogEntry) -> Events:
        command, first = logged.move, logged.events[0]
        if not isinstance(command, commands.OpenTournament) or not isinstance(first, TournamentOpened):
            raise TypeError("a tournament begins with its opening")
        if wrong := next(find_format_errors(command.format), None):
            raise ValueError(": ".join(wrong))
        return decide_opening(self.bundle.header.match, first.commitment, command)

    def _compare_lots(self, logged: LogEntry) -> AuditFinding | None:
        """Judge an entry for which lots may be drawn."""
        assert logged.move is not None
        if self.secret is not None:
            expected, drawn = redo_lots(self.state, logged.version, logged.at_ms, logged.move, self.secret)
            if expected == logged.events:
                return None
            if not drawn or not fits_some_lots(self.state, logged):
                return _build_difference(logged, expected)
            details = texts.describe_draws(*_find_difference(expected, logged.events)[1:])
            return AuditFinding(FindingKind.CHANCE, "chance.other", logged.version, {}, details)
        try:
            expected = handle_command(Evidence(self.state, logged.version - 1, logged.at_ms, _need_lots), logged.move)
        except _LotsNeededError:
            if fits_some_lots(self.state, logged):
                return None
            return AuditFinding(FindingKind.RULES, "tournament.impossible_lots", logged.version)
        return None if expected == logged.events else _build_difference(logged, expected)

    def _compare_candidates(self, logged: LogEntry) -> AuditFinding | None:
        """Judge an entry as everybody sees it.

        Raises IllegalMove, if nothing hidden makes it allowed.
        """
        refusal: IllegalMove | None = None
        nearest: Events = ()
        for state, command in list_candidates(self.state, logged):
            try:
                decided = handle_command(Evidence(state, logged.version - 1, logged.at_ms), command)
            except IllegalMove as refused:
                refusal = refused
                continue
            expected = tuple(event.view_for(int(BYSTANDER)) for event in decided)
            is_same = logged.events in (expected, tuple(map(view_as_before, decided)))
            if is_same and check_actor(replace(logged, move=command)) is None:
                return None
            nearest = nearest or expected
        if not nearest and refusal is not None:
            raise refusal
        return _build_difference(logged, nearest)


class _LotsNeededError(Exception):
    """Lots are drawn for a command, and the secret behind them is not known."""


def _need_lots(_limit: int) -> int:
    raise _LotsNeededError


def check_actor(logged: LogEntry) -> AuditFinding | None:
    """Return a finding if an entry cannot have come from whom it names.

    Players and officials act for themselves; a clock only ends what waited, and a match only reports how it ended. Who
    enters does not know their number yet.
    """
    kind, _, number = logged.actor.partition(":")
    move = logged.move
    fits = logged.seat == BYSTANDER and kind in ACTORS and bool(number) == (kind in ("official", "player"))
    fits = fits and (not number or (number.isascii() and number.isdecimal()))
    fits = fits and (kind == "clock") == isinstance(move, commands.TimeIsUp)
    reports = isinstance(move, commands.ReportResult) and move.by == commands.ReportResult.by
    reports = reports or isinstance(move, (commands.ReportLapse, commands.ReportWait))
    fits = fits and (kind == "match") == reports
    officer = None if isinstance(move, commands.AcceptOfficer) else getattr(move, "officer", None)
    player = move.by if isinstance(move, commands.ReportResult) else getattr(move, "player", None)
    if kind == "official":
        fits = fits and not isinstance(move, PLAYERS_COMMANDS) and str(officer) in ("None", number)
    elif kind == "player":
        may = (*PLAYERS_COMMANDS, commands.Enter, commands.EndCall, commands.Leave)
        fits = fits and officer is None and (move is None or isinstance(move, may)) and str(player) in ("None", number)
    if not fits:
        params = {"seat": logged.seat, "actor": logged.actor[:40]}
        return AuditFinding(FindingKind.RULES, "entry.actor", logged.version, params)
    return None


def _build_difference(logged: LogEntry, expected: Events) -> AuditFinding:
    at, one, other = _find_difference(expected, logged.events)
    params = {"at": f"{logged.version}.{at}"}
    details = texts.describe_difference(logged.move, one, other)
    return AuditFinding(FindingKind.RULES, "rules.facts", logged.version, params, details)


def _find_difference(expected: Events, found: Events) -> tuple[int, Event | None, Event | None]:
    """Return the place of the first difference, with what is expected and found there."""
    pairs = enumerate(zip_longest(expected, found))
    return next(((at, one, other) for at, (one, other) in pairs if one != other), (0, None, None))


def _build_claim(name: str, claimed: str) -> AuditFinding:
    params = {"field": name, "claimed": claimed[:100]}
    return AuditFinding(FindingKind.VERSION, "header.claims", None, params)


def _list_notices(state: Tournament, hidden: int) -> Iterator[AuditNotice]:
    """Yield what a reader should know although nothing is wrong."""
    if hidden:
        yield AuditNotice("tournament.hidden", {"count": hidden})
    if state.format.plays == REFEREED:
        tables = [table for one in state.rounds for table in one.tables]
        matches = sum(bool(table.match) + len(table.former) for table in tables)
        yield AuditNotice("tournament.matches", {"count": matches})
    else:
        yield AuditNotice("tournament.reported")


def check_header(bundle: Bundle, entries: Sequence[Mapping[str, Any]]) -> Iterator[AuditFinding]:
    """Yield findings for claims of a header that the opening contradicts."""
    opened = next((each for each in entries[0]["events"] if isinstance(each, dict)), {}) if entries else {}
    if not entries:
        return
    form = opened.get("format") if opened.get("type") == OPENED else {}
    told = {
        "match": opened.get("tournament"), "game": GAME if form else None, "edition": "", "ruleset": RULESET,
        "variant": form.get("game") if isinstance(form, dict) else None,
    }  # fmt: skip
    for name, due in told.items():
        if getattr(bundle.header, name) != due:
            yield AuditFinding(
                FindingKind.VERSION, "header.claims", 1, {"field": name, "claimed": getattr(bundle.header, name)[:100]}
            )

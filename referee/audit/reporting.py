"""A report as data for programs, and as lines for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from referee.audit import verdicts
from referee.audit.checks.findings import TEXTS, AuditFinding, AuditNotice, AuditReport, CheckResult
from referee.audit.checks.times import render_time
from referee.audit.comparison import Comparison
from referee.audit.facts import MatchFrame, name_players
from referee.games import load_games
from referee.tournament.state import GAME as TOURNAMENT
from referee.tournament.state import is_tournament_id
from referee.transparency.spoken import speak_root

MAX_FINDINGS = 12  # the most findings that are printed


def report_to_dict(report: AuditReport) -> dict[str, Any]:
    """Return a report as JSON data, with its sentences in every language."""
    return {
        "match": report.match,
        "size": report.size,
        "sound": report.is_sound,
        "verdict": verdicts.find_verdict(report),
        "says": verdicts.describe_verdict(report),
        "fault": verdicts.find_fault(report),
        "exit_code": report.exit_code,
        "trusted": report.trusted,
        "keys": list(report.keys),
        "checks": [{"name": each.name, "state": each.state, "reason": each.reason or None} for each in report.checks],
        "findings": [finding_to_dict(each) for each in report.findings],
        "notices": [{"key": each.key, "says": each.render_texts()} for each in report.notices],
    }


def finding_to_dict(finding: AuditFinding) -> dict[str, Any]:
    """Return a finding as JSON data."""
    return {
        "kind": finding.kind.name.lower(),
        "exit_code": int(finding.kind),
        "key": finding.key,
        "version": finding.version,
        "says": finding.render_texts(),
        "told": finding.details,
    }


def render_report(report: AuditReport, lang: str) -> Iterator[str]:
    """Yield the lines of a report for people."""
    is_tournament = is_tournament_id(report.match)
    title = TEXTS["report.tournament" if is_tournament else "report.match"][lang]
    yield title.format(match=report.match or "–", size=report.size)
    if report.frame is not None:
        key = "report.tournament_frame" if is_tournament else "report.frame"
        yield AuditNotice(key, describe_frame(report.frame)).render_texts()[lang]
    if report.root:
        yield TEXTS["report.words"][lang].format(words=speak_root(report.root))
    yield render_key_trust(report, lang)
    yield ""
    width = max(len(TEXTS[f"state.{state}"][lang]) for state in ("done", "failed", "skipped"))
    for check in report.checks:
        yield f"  {TEXTS[f'state.{check.state}'][lang]:<{width}}  {_render_check(check, lang)}"
    yield ""
    yield verdicts.describe_verdict(report)[lang]
    yield from render_findings(report.findings, lang)
    for notice in report.notices:
        yield f"  {notice.render_texts()[lang]}"
    if report.is_sound:
        yield f"  {TEXTS['report.limits'][lang]}"


def describe_frame(frame: MatchFrame) -> dict[str, Any]:
    """Return the parameters of the text that says what match it is."""
    is_tournament = frame.game == TOURNAMENT
    game = load_games().get(frame.variant if is_tournament else frame.game)
    variant = f" ({frame.variant[:100]})" if game is None or len(game.variants) > 1 else ""
    return {
        "game": (game.title["en"] if game else frame.game[:100]) + ("" if is_tournament and game else variant),
        "rounds": frame.rounds,
        "seats": frame.seats,
        "bots": name_players(frame.bots),
        "count": len(frame.bots),
        "start": render_time(frame.first_ms),
        "end": render_time(frame.last_ms),
        "status": frame.status,
    }


def render_key_trust(report: AuditReport, lang: str) -> str:
    """Return what a report says about the keys that signatures were checked with."""
    if not report.keys:
        return TEXTS["report.no_key"][lang]
    key = verdicts.render_fingerprint(report.keys[-1])
    return TEXTS["report.trusted" if report.trusted else "report.not_vouched"][lang].format(key=key)


def render_findings(findings: Sequence[AuditFinding], lang: str) -> Iterator[str]:
    """Yield the lines of findings, not more than people read."""
    for finding in findings[:MAX_FINDINGS]:
        yield f"  {finding.render_texts()[lang]}"
        if finding.details is not None:
            yield from (f"    {line}" for line in finding.details[lang].splitlines())
    if len(findings) > MAX_FINDINGS:
        yield f"  {TEXTS['report.more'][lang].format(count=len(findings) - MAX_FINDINGS)}"


def _render_check(check: CheckResult, lang: str) -> str:
    name = TEXTS[f"check.{check.name}"][lang]
    explained = f"explain.{check.name}"
    name = f"{name}: {TEXTS[explained][lang]}" if explained in TEXTS else name
    return f"{name} ({TEXTS[f'reason.{check.reason}'][lang]})" if check.reason else name


# -- several files -----------------------------------------------------------------------------------------------------


def comparison_to_dict(found: Comparison) -> dict[str, Any]:
    """Return a comparison as JSON data."""
    return {
        "state": found.check.state,
        "pairs": found.pairs,
        "findings": [finding_to_dict(each) for each in found.findings],
        "notes": [*found.notes, *(_render_open(found, number) for number in range(len(found.open_questions)))],
    }


def render_comparison(found: Comparison, lang: str) -> Iterator[str]:
    """Yield the lines of a comparison for people."""
    yield TEXTS["compare.title"][lang]
    if not found.findings:
        key = "compare.none" if found.pairs else "compare.nothing"
        yield f"  {TEXTS[key][lang].format(pairs=found.pairs)}"
    yield from render_findings(found.findings, lang)
    for note in comparison_to_dict(found)["notes"][:MAX_FINDINGS]:
        yield f"  {note[lang]}"


def _render_open(found: Comparison, number: int) -> dict[str, str]:
    origin, one, two = found.open_questions[number]
    values = {"log": origin[:100], "one": one.size, "two": two.size}
    return {lang: text.format(**values) for lang, text in TEXTS["compare.open"].items()}

"""A report as data that programs read, and as lines that people read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.audit.checks.findings import TEXTS, Check, Finding, Report

MOST = 12  # findings that are printed
BLOCK = 4  # digits of a fingerprint that stand together


def as_data(report: Report) -> dict[str, Any]:
    """A report as JSON data, with its sentences in every language."""
    return {
        "match": report.match,
        "size": report.size,
        "sound": report.sound,
        "exit_code": report.exit_code,
        "trusted": report.trusted,
        "keys": list(report.keys),
        "checks": [{"name": each.name, "state": each.state, "reason": each.reason or None} for each in report.checks],
        "findings": [finding_as_data(each) for each in report.findings],
    }


def finding_as_data(finding: Finding) -> dict[str, Any]:
    """A finding as JSON data."""
    return {
        "kind": finding.kind.name.lower(),
        "exit_code": int(finding.kind),
        "key": finding.key,
        "version": finding.version,
        "says": finding.texts(),
        "told": finding.told,
    }


def as_lines(report: Report, lang: str) -> Iterator[str]:
    """A report for reading, one line after another."""
    yield TEXTS["report.match"][lang].format(match=report.match or "–", size=report.size)
    yield whose(report, lang)
    yield ""
    width = max(len(TEXTS[f"state.{state}"][lang]) for state in ("done", "failed", "skipped"))
    for check in report.checks:
        yield f"  {TEXTS[f'state.{check.state}'][lang]:<{width}}  {_check(check, lang)}"
    yield ""
    yield verdict(report, lang)
    for finding in report.findings[:MOST]:
        yield f"  {finding.texts()[lang]}"
        if finding.told is not None:
            yield from (f"    {line}" for line in finding.told[lang].splitlines())
    if len(report.findings) > MOST:
        yield f"  {TEXTS['report.more'][lang].format(count=len(report.findings) - MOST)}"


def whose(report: Report, lang: str) -> str:
    """What is to be said of the keys that the signatures were checked with."""
    if not report.keys:
        return TEXTS["report.no_key"][lang]
    key = " ".join(report.keys[-1][at : at + BLOCK] for at in range(0, 4 * BLOCK, BLOCK))
    return TEXTS["report.trusted" if report.trusted else "report.not_vouched"][lang].format(key=key)


def verdict(report: Report, lang: str) -> str:
    """The last word, in one sentence: also of what was not looked at."""
    if not report.sound:
        return TEXTS["report.wrong"][lang].format(code=report.exit_code)
    unchecked = any(check.name == "rules" and check.state != "done" for check in report.checks)
    return TEXTS["report.sound_in_part" if unchecked else "report.sound"][lang]


def _check(check: Check, lang: str) -> str:
    name = TEXTS[f"check.{check.name}"][lang]
    return f"{name} ({TEXTS[f'reason.{check.reason}'][lang]})" if check.reason else name

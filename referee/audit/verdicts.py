"""What a report comes to: a verdict, who is at fault, and what is missing.

- *proves*: a known key signed exactly this. It is known from outside, or from receipts that somebody kept.
- *consistent*: the file does not contradict itself, and nobody vouches for it. Anybody could have made it.
- *wrong*: something contradicts the file, the signatures or the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.audit.checks.findings import TEXTS, AuditReport, FindingKind, find_subject
from referee.engine.rulebook.book import LANGUAGES, Text
from referee.engine.rulebook.messages import format_message

PROVES, CONSISTENT, WRONG = VERDICTS = ("proves", "consistent", "wrong")
FILE, SERVER, PEOPLE, UNCLEAR = FAULTS = ("file", "server", "people", "unclear")
KEY, RECEIPTS, PUBLISHED, CHANCE, SEEDS, SIGNATURES = REQUIREMENTS = (
    "key", "receipts", "published", "chance", "seeds", "signatures",
)  # fmt: skip
UNMET_EXIT_CODE = 24
SHOWN_DIGITS, BLOCK = 16, 4  # digits of a fingerprint that people compare, in groups
# what somebody who hands a file on can bring about without any key
FILE_KINDS = {
    FindingKind.UNREADABLE, FindingKind.KEY, FindingKind.SIGNATURE, FindingKind.VERSION, FindingKind.ROOT,
    FindingKind.BOOK,
}  # fmt: skip
# what is wrong with lines of a file that no signature covers: secrets, draws, hidden parts, what a move carries along
UNSIGNED_KEYS = {
    "draw.missing", "draw.other", "draw.twice", "luggage.not_here", "luggage.other", "opening.other", "opening.parts",
    "secret.missing", "secret.other", "secret.out_of_place", "secret.too_early",
}  # fmt: skip


def find_verdict(report: AuditReport) -> str:
    """Return the verdict on a bundle."""
    if not report.is_sound:
        return WRONG
    return PROVES if report.trusted or report.receipted else CONSISTENT


def find_fault(report: AuditReport) -> str | None:
    """Return who is at fault for the gravest finding; None: nobody.

    It is the file, the server, or people at a real table. Where cards are real, the server only records what people
    report. If that cannot all be true, the server is not to blame. It is unclear if only lines are wrong that no
    signature covers: anybody who passed the file on can have changed them, or the server gave out false ones.
    """
    if report.is_sound:
        return None
    gravest = min(finding.kind for finding in report.findings)
    if gravest in FILE_KINDS:
        return FILE
    if all(finding.key in UNSIGNED_KEYS for finding in report.findings if finding.kind == gravest):
        return UNCLEAR
    return PEOPLE if gravest is FindingKind.CENSUS and report.facts.real_devices else SERVER


def find_unmet(report: AuditReport, required: Sequence[str]) -> tuple[str, ...]:
    """Return which of these requirements a report does not meet."""
    states = {check.name: check.state for check in report.checks}
    is_older = any(notice.key == "receipt.ends_before" for notice in report.notices)
    met = {
        KEY: report.trusted,
        RECEIPTS: report.receipted > 0 and not is_older,
        PUBLISHED: states.get("published") == "done",
        CHANCE: states.get("chance") == "done",
        SIGNATURES: report.facts.are_moves_signed,
        SEEDS: report.size > 0 and report.facts.is_chance_shared,
    }
    return tuple(name for name in REQUIREMENTS if name in required and not met[name])


def describe_verdict(report: AuditReport) -> Text:
    """Return the verdict in sentences.

    They say what is proved, by which key, known from where, and what was not checked.
    """
    key = render_fingerprint(report.keys[-1]) if report.keys else "–"
    params: dict[str, Any] = {"key": key, "size": report.size, "upto": report.receipted, "code": report.exit_code}
    params["kind"] = find_subject(report.match)
    verdict = find_verdict(report)
    if verdict == WRONG:
        keys = ["verdict.wrong", f"fault.{find_fault(report)}"]
    else:
        states = {check.name: check.state for check in report.checks}
        proofs = [name for name, is_so in (("key", report.trusted), ("receipts", report.receipted)) if is_so]
        told = "verdict.played_unknown"
        if states.get("rules") == "done":
            told = "verdict.played" if proofs else "verdict.played_if_genuine"
        keys = [f"verdict.{'_and_'.join(proofs)}" if proofs else "verdict.consistent", told]
    return {
        lang: " ".join(format_message(TEXTS[each][lang], lang, params) for each in keys if each) for lang in LANGUAGES
    }


def describe_unmet(unmet: Sequence[str]) -> Text:
    """Return in one sentence what is missing of what was required."""
    return {
        lang: TEXTS["require.unmet"][lang].format(
            what="; ".join(TEXTS[f"require.{name}"][lang] for name in unmet), code=UNMET_EXIT_CODE
        )
        for lang in LANGUAGES
    }


def render_fingerprint(fingerprint: str) -> str:
    """Return the first digits of a fingerprint in groups, as people compare them."""
    return " ".join(fingerprint[at : at + BLOCK] for at in range(0, SHOWN_DIGITS, BLOCK)) + "…"

"""Every tampering is found by both verifiers, each with the right message, as far as it can know (tampering.py)."""

from __future__ import annotations

from copy import copy
from functools import cache
from pathlib import Path

import pytest

from referee.audit import standalone
from referee.audit.bundles import format as form
from referee.audit.bundles.format import BundleError, KeyLine
from referee.audit.checks.findings import FindingKind
from referee.audit.checks.verifier import build_unreadable_report, check_bundle
from referee.engine.rulebook.book import LANGUAGES
from referee.transparency.key_chain import sign_statement
from tests.audit.forging import Forger
from tests.audit.sitting import STORE, Played, played, signer
from tests.audit.tampering import CASES, NOTHING, Case

NUMBER, MOVES = 1, 14  # Here to Slay, with dice, shuffled piles and hidden hands


@cache
def honest() -> Played:
    return played(NUMBER, most=MOVES)


def work(base: Forger) -> Forger:
    """A forger who has what is his own to change."""
    forger = copy(base)
    for name, value in vars(base).items():
        if isinstance(value, list):
            setattr(forger, name, list(value))
    return forger


@cache
def untouched() -> Forger:
    return Forger.on(honest())


def alone(lines: list[bytes], receipts: list[str], keys: list[bytes], folder: Path) -> dict:
    """What the file that stands alone says of these lines."""
    (folder / "match.bundle").write_bytes(b"".join(lines))
    return standalone.check_file(str(folder / "match.bundle"), keys, receipts, True)


def whole(lines: list[bytes], receipts: list[str], keys: list[bytes]):
    """What the whole verifier says of them."""
    try:
        return check_bundle(form.decode_bundle(lines), keys, receipts)
    except BundleError as wrong:
        return build_unreadable_report("", wrong)


@pytest.mark.parametrize("given", [False, True], ids=["without receipts", "with receipts"])
def test_nothing_is_found_in_the_match_as_it_was_played(given: bool, tmp_path: Path) -> None:
    lines, receipts = honest().house.bundle(honest().match), honest().receipts if given else []
    assert alone(lines, receipts, [], tmp_path)["findings"] == []
    report = whole(lines, receipts, [])
    assert report.findings == ()
    assert [check.name for check in report.checks if check.state == "skipped"] == [
        *([] if given else ["receipts"]), "book", "devices", "published",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["the secret is another", "the secret is missing"])
def test_what_a_wrong_secret_leaves_unchecked_is_not_said_to_come_after_the_end(name: str) -> None:
    forger = work(untouched())
    next(case for case in CASES if case.name == name).make(forger)
    report = whole(forger.lines(), [], [])
    assert {each.name: each.reason for each in report.checks}["chance"] in ("", "unread")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_tampering_is_found(case: Case, tmp_path: Path) -> None:
    forger = work(untouched())
    case.make(forger)
    lines = forger.lines()
    receipts = forger.receipts if case.receipts else []
    keys = [honest().house.signer.public] if case.trusted else []
    report, told = whole(lines, receipts, keys), alone(lines, receipts, keys, tmp_path)
    assert report.exit_code == case.whole, report.findings
    assert told["exit"] == case.alone, told["findings"]
    for finding in report.findings:
        assert all(finding.render_texts()[lang] for lang in LANGUAGES)


def both(forger: Forger, keys: list[bytes], folder: Path) -> tuple[int, int]:
    lines = forger.lines()
    return whole(lines, forger.receipts, keys).exit_code, alone(lines, forger.receipts, keys, folder)["exit"]


def test_a_root_that_was_published_is_looked_for_and_found(tmp_path: Path) -> None:
    forger = work(untouched())
    forger.publish()
    assert both(forger, [], tmp_path) == (NOTHING, NOTHING)
    assert alone(forger.lines(), [], [], tmp_path)["checks"]["published"] == "done"
    forger.publish(size=forger.size - 2)  # it was over then, and went on because of a dispute
    assert both(forger, [], tmp_path) == (NOTHING, NOTHING)


def rotated() -> Forger:
    """A match whose last checkpoint was signed by a second key, which the first has named."""
    forger, second = work(untouched()), signer("second")
    note = sign_statement(forger.signer, STORE, second.public, 77)
    forger.keys.append(KeyLine(second.public, 77, note))
    forger.sign(second)
    return forger


def test_a_key_that_the_one_before_it_has_named_signs_as_well(tmp_path: Path) -> None:
    first, second = honest().house.signer.public, signer("second").public
    for trusted in ([], [first], [first, second]):
        assert both(rotated(), trusted, tmp_path) == (NOTHING, NOTHING)


def test_who_trusts_the_second_key_alone_has_no_reason_to_believe_the_first(tmp_path: Path) -> None:
    """Anybody can make a key and let it name that of the server: the chain vouches forwards only."""
    forger = rotated()
    assert both(forger, [signer("second").public], tmp_path) == (FindingKind.SIGNATURE, FindingKind.SIGNATURE)
    forger.receipts = []
    assert both(forger, [signer("second").public], tmp_path) == (NOTHING, NOTHING)


@pytest.mark.parametrize("since", [76, 78])
def test_a_statement_holds_from_its_own_time_on(since: int, tmp_path: Path) -> None:
    forger = rotated()
    forger.keys[1] = KeyLine(forger.keys[1].public, since, forger.keys[1].statement)
    assert both(forger, [], tmp_path) == (FindingKind.KEY, FindingKind.KEY)

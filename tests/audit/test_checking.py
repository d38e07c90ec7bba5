"""The verifier: an honest match is found sound, and whatever was changed is found, with the right kind."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.audit.bundle import Bundle
from referee.audit.checking import CHECKS, checked
from referee.audit.findings import Kind, Report
from tests.audit.house import OTHER, SIGNER, STORE, bundled, finished, played
from tests.desk.court.playing import GAMES


def states(report: Report) -> dict[str, str]:
    return {check.name: check.reason or check.state for check in report.checks}


def kinds(report: Report) -> set[Kind]:
    return {finding.kind for finding in report.findings}


@pytest.mark.parametrize("game", GAMES)
def test_an_honest_match_is_found_sound(game: str) -> None:
    house, match = played(game, most=60)
    over = house.load(match).match.end is not None
    for eyes in ("public", "0", "sealed", *(("full",) if over else ())):
        report = checked(bundled(house, match, eyes), [SIGNER.public])
        assert report.findings == ()
        assert report.trusted
        assert (states(report)["rules"] == "done") == (eyes in ("full", "sealed"))
        assert [check.name for check in report.checks] == list(CHECKS)


def test_of_a_match_that_is_over_nothing_is_left_unchecked_but_what_there_is_not() -> None:
    found = states(checked(finished(), [SIGNER.public], [finished().checkpoints[0].note]))
    left = {name: state for name, state in found.items() if state != "done"}
    assert left == {"book": "no_book", "published": "not_published"}


def test_a_key_that_only_the_bundle_names_is_not_trusted() -> None:
    assert not checked(finished()).trusted
    assert checked(finished()).sound
    assert checked(finished(), [OTHER.public]).exit_code == Kind.KEY


def without_entry(bundle: Bundle, at: int) -> Bundle:
    return replace(bundle, entries=bundle.entries[: at - 1] + bundle.entries[at:])


def test_an_entry_that_is_missing_is_named() -> None:
    report = checked(without_entry(finished(), 7))
    assert report.exit_code == Kind.VERSION
    assert {finding.version for finding in report.findings if finding.kind is Kind.VERSION} >= {7}


def test_entries_that_are_missing_at_the_end_are_missed() -> None:
    bundle = finished()
    cut = replace(bundle, entries=bundle.entries[:-3], header=replace(bundle.header, size=bundle.header.size - 3))
    assert checked(cut).exit_code == Kind.VERSION


def test_a_receipt_of_another_history_proves_a_fork() -> None:
    bundle = finished()
    origin = f"{STORE}/{bundle.header.match}"
    rewritten = SIGNER.receipt(origin, 9, bytes(32))
    later = SIGNER.receipt(origin, bundle.header.size + 1, bytes(32))
    assert checked(bundle, [SIGNER.public], [rewritten]).exit_code == Kind.FORK
    assert checked(bundle, [SIGNER.public], [later]).exit_code == Kind.FORK
    honest = SIGNER.receipt(origin, 9, bundle.entries[8].root)
    assert checked(bundle, [SIGNER.public], [honest]).sound
    forged = OTHER.receipt(origin, 9, bundle.entries[8].root)
    assert checked(bundle, [SIGNER.public], [forged]).exit_code == Kind.SIGNATURE
    elsewhere = SIGNER.receipt(f"{STORE}/07-{'z' * 26}", 9, bundle.entries[8].root)
    assert checked(bundle, [SIGNER.public], [elsewhere]).exit_code == Kind.VERSION

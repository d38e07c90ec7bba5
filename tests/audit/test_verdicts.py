"""The three verdicts: what is proved by which key known from where, what nobody vouches for, and who is at fault."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.audit.bundles.format import Bundle, KeyLine, encode_bundle
from referee.audit.checks.findings import AuditFinding, AuditReport, FindingKind
from referee.audit.checks.verifier import check_bundle
from referee.audit.facts import MatchFacts, collect_facts
from referee.audit.reporting import render_report, report_to_dict
from referee.audit.verdicts import (
    REQUIREMENTS,
    UNMET_EXIT_CODE,
    UNSIGNED_KEYS,
    describe_verdict,
    find_fault,
    find_unmet,
    find_verdict,
)
from referee.cli.main import cli
from referee.engine.rulebook.book import LANGUAGES
from referee.transparency.receipts import Signer
from tests.audit.house import OTHER, SIGNER, STORE, finished, resigned
from tests.audit.test_making import published


def receipt(bundle: Bundle, version: int, signer: Signer = SIGNER) -> str:
    return signer.sign_receipt(f"{STORE}/{bundle.header.match}", version, bundle.entries[version - 1].root)


def key_digits(signer: Signer) -> str:
    return " ".join(signer.fingerprint[at : at + 4] for at in range(0, 16, 4))


def test_a_known_key_proves_and_the_report_says_which_and_from_where() -> None:
    report = check_bundle(finished(), [SIGNER.public])
    assert find_verdict(report) == "proves"
    told = describe_verdict(report)
    assert told["en"].startswith("PROVED")
    assert "You gave that key" in told["en"]
    assert "BEWIESEN" in told["de"]
    assert all(key_digits(SIGNER) in text and f"{report.size}" in text for text in told.values())


def test_receipts_alone_prove_up_to_where_they_fit_and_say_so() -> None:
    report = check_bundle(finished(), (), [receipt(finished(), 5), receipt(finished(), 9)])
    assert (find_verdict(report), report.receipted, report.trusted) == ("proves", 9, False)
    assert "Up to entry 9" in describe_verdict(report)["en"]
    assert "Bis Eintrag 9" in describe_verdict(report)["de"]
    both = check_bundle(finished(), [SIGNER.public], [receipt(finished(), 9)])
    assert "Up to entry 9 your receipts pin it down as well" in describe_verdict(both)["en"]


def test_an_invented_match_under_an_unknown_key_is_only_consistent() -> None:
    """Before, the report said that the match was played as the file tells."""
    bundle = finished()
    whole = [line.envelope for line in bundle.entries], [line.parts for line in bundle.entries]
    invented = replace(resigned(bundle, *whole, OTHER), keys=(KeyLine(OTHER.public, 0),))
    report = check_bundle(invented)
    assert (find_verdict(report), report.exit_code) == ("consistent", 0)
    assert "NOBODY VOUCHES" in describe_verdict(report)["en"]
    assert "NIEMAND BÜRGT" in describe_verdict(report)["de"]
    assert find_unmet(report, ("key", "receipts")) == ("key", "receipts")


@pytest.mark.parametrize(
    ("kind", "real", "fault"),
    [
        (FindingKind.ROOT, False, "file"),
        (FindingKind.KEY, True, "file"),
        (FindingKind.FORK, True, "server"),
        (FindingKind.CHANCE, False, "server"),
        (FindingKind.CENSUS, False, "server"),
        (FindingKind.CENSUS, True, "people"),
    ],
)
def test_a_report_says_who_is_at_fault(kind: FindingKind, real: bool, fault: str) -> None:
    finding = AuditFinding(kind, "census.impossible", 3)
    report = AuditReport("m", 5, findings=(finding,), facts=MatchFacts(real_devices=real))
    assert (find_verdict(report), find_fault(report)) == ("wrong", fault)
    assert describe_verdict(report)["en"].startswith(f"WRONG (exit code {int(kind)})")
    assert ("Der Server ist nicht schuld" in describe_verdict(report)["de"]) == (fault == "people")


@pytest.mark.parametrize("key", sorted(UNSIGNED_KEYS))
def test_nobody_is_accused_of_what_no_signature_covers(key: str) -> None:
    beside = AuditFinding(FindingKind.RULES, "rules.illegal", 3)
    report = AuditReport("m", 5, findings=(AuditFinding(FindingKind.OPENING, key, 3), beside))
    assert find_fault(report) == "unclear"
    signed = AuditFinding(FindingKind.OPENING, "opening.shown", 4)
    assert find_fault(replace(report, findings=(*report.findings, signed))) == "server"


def test_census_root_and_published_root_are_explained_where_they_appear() -> None:
    lines = {lang: list(render_report(check_bundle(published(), [SIGNER.public]), lang)) for lang in LANGUAGES}
    for words in (
        "one hash over all entries",
        "counts whether all cards",
        "log of the server that everybody can follow",
    ):
        assert sum(words in line for line in lines["en"]) == 1
    for words in ("ein Hash über alle Einträge", "zählt nach, ob alle Karten", "Log des Servers, dem alle folgen"):
        assert sum(words in line for line in lines["de"]) == 1


def test_a_reader_learns_whether_seats_had_a_share_in_the_draws() -> None:
    told = check_bundle(finished("here_to_slay"), [SIGNER.public])
    assert "fact.no_seeds" in [notice.key for notice in told.notices]
    assert "seeds" in find_unmet(told, REQUIREMENTS)
    assert not told.facts.is_chance_shared


OPENED = {"type": "table.MatchOpened", "chance": {"dice": "server"}}
BOUND = {"type": "table.SeedCommitted", "seat": 2, "commitment": "00"}
SEED = {"type": "table.SeedRevealed", "seat": 2, "seed": "00"}


@pytest.mark.parametrize(
    ("events", "shared"),
    [
        ([OPENED], False),
        ([OPENED, BOUND, SEED], True),
        ([OPENED, BOUND, SEED, {"type": "table.SeatLeft", "seat": 2}], False),
        ([OPENED, BOUND, {"type": "table.Started"}, SEED], False),
        ([OPENED, BOUND, SEED, {"type": "table.ChanceRenewed", "generation": 1}], False),
        ([{"type": "table.MatchOpened", "chance": {"dice": "table"}}], True),
        (["nonsense", {"type": []}, {"type": "table.SeedRevealed", "seat": {}}, OPENED], False),
    ],
)
def test_seeds_count_if_they_came_before_the_start_and_no_secret_came_after_them(events: list, shared: bool) -> None:
    entries = [{"version": at, "actor": "table", "events": [event]} for at, event in enumerate(events, 1)]
    facts = collect_facts([*entries, {"version": len(entries) + 1, "actor": "chance", "events": []}])
    assert facts.is_chance_shared == shared


def run(tmp_path: Path, bundle: Bundle, *more: str) -> tuple[int, str]:
    path = tmp_path / "match.bundle"
    path.write_bytes(b"".join(encode_bundle(bundle.all_lines)))
    done = CliRunner().invoke(cli, ["verify", str(path), *more])
    return done.exit_code, done.output


def test_what_is_required_and_missing_has_an_exit_code_of_its_own(tmp_path: Path) -> None:
    key = ("--key", SIGNER.public.hex())
    assert run(tmp_path, finished())[0] == 0
    code, output = run(tmp_path, finished(), "--require", "key,receipts")
    assert (code, "REQUIRED BUT MISSING (exit code 24)" in output) == (UNMET_EXIT_CODE, True)
    code, output = run(tmp_path, finished(), "--require", "key,receipts", "--lang", "de")
    assert (code, "ein Schlüssel, dem du vertraust; eigene Quittungen, die passen" in output) == (UNMET_EXIT_CODE, True)
    assert run(tmp_path, finished(), "--require", "key, chance", *key)[0] == 0
    assert run(tmp_path, finished(), "--require", "published", *key)[0] == UNMET_EXIT_CODE
    assert run(tmp_path, published(), "--require", "published", *key)[0] == 0
    (tmp_path / "kept").write_text(receipt(finished(), 9), "utf-8")
    kept = ("--receipts", str(tmp_path / "kept"))
    code, output = run(tmp_path, finished(), "--require", "key,receipts,chance", *key, *kept, "--json")
    told = json.loads(output)["files"][0]
    assert (code, told["verdict"], told["unmet"], told["fault"]) == (0, "proves", [], None)
    wrong = replace(finished(), draws=())
    assert run(tmp_path, wrong, "--require", "published")[0] == FindingKind.CHANCE, "what is wrong comes first"
    assert run(tmp_path, finished(), "--require", "luck")[0] == 64


def test_a_receipt_beyond_the_file_does_not_meet_the_requirement() -> None:
    bundle = finished()
    later = SIGNER.sign_receipt(f"{STORE}/{bundle.header.match}", bundle.header.size + 1, bytes(32))
    report = check_bundle(bundle, [SIGNER.public], [receipt(bundle, 9), later])
    assert report.is_sound
    assert find_unmet(report, ("receipts",)) == ("receipts",)


def test_the_report_as_data_has_the_verdict() -> None:
    report = check_bundle(finished())
    told = report_to_dict(report)
    assert (told["verdict"], told["fault"], set(told["says"])) == ("consistent", None, set(LANGUAGES))

"""`referee verify`: bundles in files, checked without a server; the exit code tells what is wrong."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.audit.bundles.format import Bundle, encode_bundle
from referee.audit.checks.findings import FindingKind
from referee.cli.commands.histories.verify import verify_files
from referee.cli.commands.rulings.judge import UnreadableInputError
from referee.cli.main import cli
from tests.audit.house import OTHER, SIGNER, STORE, finished

KEY = base64.b64encode(SIGNER.public).decode()


def run(*arguments: str | Path, given: bytes | None = None) -> Result:
    return CliRunner().invoke(cli, ["verify", *map(str, arguments)], input=given)


def filed(folder: Path, bundle: Bundle, name: str = "a.bundle") -> Path:
    path = folder / name
    path.write_bytes(b"".join(encode_bundle(bundle.all_lines)))
    return path


def test_an_honest_bundle_is_found_right(tmp_path: Path) -> None:
    path = filed(tmp_path, finished())
    done = run(path, "--key", KEY)
    assert done.exit_code == 0, done.output
    assert "by the rules" in done.output
    assert "which you gave" in done.output
    assert "WRONG" not in done.output
    assert "anybody can make such a file" in run(path).output
    assert "Wenn sie echt ist, entsprechen alle Züge darin den Regeln." in run(path, "--lang", "de").output
    assert run("-", given=path.read_bytes()).exit_code == 0


def test_a_key_may_stand_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "key.pem").write_text(SIGNER.encode_public_pem())
    (tmp_path / "other").write_text(OTHER.encode_verifier_key("x"))
    path = filed(tmp_path, finished())
    assert run(path, "--key", tmp_path / "key.pem").exit_code == 0
    assert run(path, "--key", tmp_path / "other").exit_code == FindingKind.KEY


def test_what_is_wrong_is_said_and_the_exit_code_is_that_of_the_gravest(tmp_path: Path) -> None:
    good, bundle = filed(tmp_path, finished()), finished()
    cut = filed(tmp_path, replace(bundle, entries=bundle.entries[:-1]), "cut.bundle")
    line = replace(bundle.entries[3], envelope=bundle.entries[3].envelope.replace('"at":', '"at":1'))
    changed = filed(tmp_path, replace(bundle, entries=(*bundle.entries[:3], line, *bundle.entries[4:])), "changed")
    assert run(cut).exit_code == FindingKind.VERSION
    assert run(changed).exit_code == FindingKind.ROOT
    assert "Entry 4 is not the one that was hashed" in run(changed).output
    both = run(good, changed, cut, "--json")
    assert both.exit_code == FindingKind.VERSION
    told = json.loads(both.output)
    assert [file["exit_code"] for file in told["files"]] == [0, FindingKind.ROOT, FindingKind.VERSION]
    assert told["files"][1]["findings"][0]["says"]["de"].startswith("Eintrag 4")
    (tmp_path / "none").write_bytes(b"nothing\n")
    assert run(tmp_path / "none").exit_code == FindingKind.UNREADABLE
    assert "Line 1" in run(tmp_path / "none").output


def test_receipts_go_to_the_file_of_their_match_and_one_that_has_none_is_not_passed_over(tmp_path: Path) -> None:
    path, bundle = filed(tmp_path, finished()), finished()
    notes = tmp_path / "receipts"
    notes.write_text(SIGNER.sign_receipt(bundle.header.origin, 5, bundle.entries[4].root))
    done = run(path, "--receipts", notes)
    assert done.exit_code == 0
    assert "Receipts (" not in done.output
    notes.write_text(SIGNER.sign_receipt(bundle.header.origin, 5, bytes(32)))
    assert run(path, "--receipts", notes).exit_code == FindingKind.FORK
    notes.write_text(SIGNER.sign_receipt(f"{STORE}/07-{'z' * 26}", 5, bytes(32)))
    assert run(path, "--receipts", notes).exit_code == FindingKind.VERSION


def test_what_a_file_claims_does_not_steer_the_terminal(tmp_path: Path) -> None:
    bundle = finished()
    claimed = replace(bundle, header=replace(bundle.header, status="\x1b[2Jall is well\n", game="\u202egame"))
    done = run(filed(tmp_path, claimed))
    assert done.exit_code == FindingKind.VERSION
    assert "\x1b" not in done.output
    assert "\u202e" not in done.output
    assert "\nall is well" not in done.output


@pytest.mark.parametrize("arguments", [(), ("a", "--key", "none"), ("a", "--lang", "fr"), ("a", "--receipts", "none")])
def test_misuse_has_exit_codes_of_its_own(arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code == 64


def test_a_file_that_is_not_there_is_no_answer_about_a_bundle(tmp_path: Path) -> None:
    with pytest.raises(UnreadableInputError, match="cannot be read"):
        verify_files([str(tmp_path / "missing")], [], [], lang="en", as_json=False)

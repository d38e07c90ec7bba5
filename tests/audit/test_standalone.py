"""The one-file verifier as a stranger has it: a file, a bundle, and nothing of the server or this program."""

from __future__ import annotations

import ast
import base64
import gzip
import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from referee.audit import standalone
from referee.audit.bundles.files import read_bundle_file
from referee.audit.checks.findings import FindingKind
from referee.audit.checks.verifier import check_bundle
from referee.cli.main import cli
from tests.api import house
from tests.audit.tampering import CASES
from tests.audit.test_tampering import honest, untouched, work

SOURCE = Path(standalone.__file__).read_text("utf-8")


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    path = tmp_path / "match.bundle"
    path.write_bytes(b"".join(honest().house.bundle(honest().match)))
    return path


def told(capsys: pytest.CaptureFixture[str], *given: object) -> tuple[int, list[Any]]:
    """The exit code, and the reports as JSON."""
    code = standalone.main([*map(str, given), "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_it_imports_the_standard_library_and_one_library_for_signatures() -> None:
    found = set()
    for node in ast.walk(ast.parse(SOURCE)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            found.add(str(node.module))
    others = {name.partition(".")[0] for name in found} - set(sys.stdlib_module_names)
    assert others == {"cryptography"}


def test_the_server_hands_out_this_very_file() -> None:
    answer = house.app().test_client().get("/verify.py")
    assert answer.status_code == 200
    assert answer.text == SOURCE
    assert answer.mimetype == "text/x-python"
    assert "verify.py" in answer.headers["Content-Disposition"]


def test_the_command_prints_this_very_file_without_being_given_another() -> None:
    printed = CliRunner().invoke(cli, ["verify", "--standalone"])
    assert (printed.exit_code, printed.output) == (0, SOURCE)


def test_it_runs_apart_from_everything_else(bundle: Path, tmp_path: Path) -> None:
    (tmp_path / "verify.py").write_text(SOURCE, "utf-8")
    watch = "import runpy, sys; sys.argv = ['verify.py', sys.argv[1]]\n"
    watch += "try: runpy.run_path('verify.py', run_name='__main__')\n"
    watch += "finally: assert not [name for name in sys.modules if name.partition('.')[0] in ('referee', 'api')]"
    command = [sys.executable, "-I", "-c", watch, str(bundle)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "NOBODY VOUCHES" in done.stdout


@pytest.mark.parametrize("more", [[], ["--json"], ["--help"]])
def test_it_ends_without_a_word_when_nobody_reads_on(bundle: Path, more: list[str]) -> None:
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, standalone.__file__, str(bundle), *more]
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (-signal.SIGPIPE, "")


def test_it_says_what_it_did_and_what_it_did_not(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, (report,) = told(capsys, bundle)
    assert code == report["exit"] == 0
    assert (report["match"], report["size"], report["trusted"]) == (honest().match, untouched().size, False)
    assert report["keys"] == [honest().house.signer.fingerprint]
    states = report["checks"]
    assert {name for name, state in states.items() if state == "done"} == {
        "keys", "signatures", "versions", "tree", "openings", "makers", "chance", "times",
    }  # fmt: skip
    assert all(states[name].startswith("skipped: ") for name in ("compared", "book", "published", "rules"))


def test_receipts_are_taken_as_text_and_as_answers_of_the_server(
    bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, answers = tmp_path / "receipts", tmp_path / "answers"
    text.write_text("\n".join(honest().receipts), "utf-8")
    answers.write_text("\n".join(json.dumps({"version": 1, "receipt": note}) for note in honest().receipts), "utf-8")
    for path in (text, answers):
        code, (report,) = told(capsys, bundle, "--receipts", path)
        assert code == 0
        assert report["checks"]["compared"] == "done"


@pytest.mark.parametrize("content", ["", "{}", "hello\n", "{", '{"receipt": "none"}'])
def test_a_file_without_receipts_is_a_misuse_and_no_finding(bundle: Path, tmp_path: Path, content: str) -> None:
    (tmp_path / "receipts").write_text(content, "utf-8")
    with pytest.raises(SystemExit) as ended:
        standalone.main([str(bundle), "--receipts", str(tmp_path / "receipts")])
    assert ended.value.code == 2


def test_the_exit_code_is_that_of_the_gravest_finding_of_all_files(
    bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = bundle.read_bytes().splitlines(keepends=True)
    torn, cut = tmp_path / "torn", tmp_path / "packed.gz"
    torn.write_bytes(b"".join(lines[:-1]))
    cut.write_bytes(gzip.compress(b"".join(lines)))
    assert told(capsys, bundle, cut)[0] == 0
    code, reports = told(capsys, bundle, torn)
    assert [report["exit"] for report in reports] == [0, FindingKind.UNREADABLE]
    assert code == FindingKind.UNREADABLE
    assert told(capsys, tmp_path / "not there")[0] == FindingKind.UNREADABLE


def test_a_key_that_is_known_from_elsewhere_is_the_one_that_counts(
    bundle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key = base64.b64encode(honest().house.signer.public).decode()
    code, (report,) = told(capsys, bundle, "--key", key)
    assert (code, report["trusted"]) == (0, True)
    code, (report,) = told(capsys, bundle, "--key", base64.b64encode(bytes(32)).decode())
    assert code == FindingKind.KEY


@pytest.mark.parametrize("lang", ["en", "de"])
def test_people_are_told_in_their_language(tmp_path: Path, capsys: pytest.CaptureFixture[str], lang: str) -> None:
    forger = work(untouched())
    next(case for case in CASES if case.name == "an entry is gone, by disk").make(forger)
    (tmp_path / "match.bundle").write_bytes(b"".join(forger.lines()))
    assert standalone.main([str(tmp_path / "match.bundle"), "--lang", lang]) == FindingKind.VERSION
    said = {"en": "an entry is missing", "de": "ein Eintrag fehlt"}[lang]
    assert said in capsys.readouterr().out


def test_its_exit_codes_are_those_of_the_whole_verifier() -> None:
    assert {kind.upper(): code for kind, (code, *_) in standalone.KINDS.items()} == {
        kind.name: int(kind) for kind in FindingKind if kind.name.lower() in standalone.KINDS
    }


@pytest.mark.parametrize("viewer", ["public", "0", "1"])
def test_a_bundle_for_fewer_eyes_is_checked_as_far_as_it_goes(
    viewer: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "match.bundle").write_bytes(b"".join(honest().house.bundle(honest().match, viewer)))
    code, (report,) = told(capsys, tmp_path / "match.bundle")
    assert code == 0
    assert report["checks"]["chance"].startswith("skipped")
    assert (report["checks"]["openings"] == "done") == (viewer != "public")


def odd(told: dict[str, Any], name: str, value: Any) -> None:
    """Something that no server writes, in the first fact."""
    told["events"][0][name] = value


@pytest.mark.parametrize("value", [[], {}, None, "x", -1, 10**15, [[{}]], True])
@pytest.mark.parametrize("name", ["generation", "commitment", "type", "book", "game", "match", "seat"])
def test_what_no_server_writes_is_found_and_breaks_nothing(name: str, value: Any, tmp_path: Path) -> None:
    """Whoever holds the key can sign anything."""
    forger = work(untouched())
    forger.envelope(1, lambda told: odd(told, name, value))
    forger.cover("key")
    (tmp_path / "match.bundle").write_bytes(b"".join(forger.lines()))
    report = standalone.check_file(str(tmp_path / "match.bundle"), [], forger.receipts, True)
    assert report["exit"] in {code for code, *_ in standalone.KINDS.values()}


@pytest.mark.parametrize("event", [
    {"type": "table.SeedRevealed", "seat": [], "seed": 5}, {"type": "table.SeedRevealed"},
    {"type": "table.SeedRevealed", "seat": 0, "seed": "abc"}, {"type": "table.SeedCommitted", "seat": {}},
    {"type": "table.ChanceRenewed", "generation": {}}, {"type": "table.ChanceRenewed", "generation": "x"},
    "no fact", [], 7,
])  # fmt: skip
def test_facts_of_any_shape_are_found_and_break_nothing(event: Any, tmp_path: Path) -> None:
    forger = work(untouched())
    forger.envelope(2, lambda told: told["events"].insert(0, event))
    forger.cover("key")
    (tmp_path / "match.bundle").write_bytes(b"".join(forger.lines()))
    report = standalone.check_file(str(tmp_path / "match.bundle"), [], forger.receipts, True)
    assert report["exit"] in {code for code, *_ in standalone.KINDS.values()}


def test_a_tower_of_brackets_breaks_nothing(tmp_path: Path) -> None:
    forger, high = work(untouched()), 100_000
    forger.put(3, envelope="[" * high + "]" * high)
    forger.part(4, lambda part: '{"events":' + "[" * high + "]" * high + "}")
    forger.cover("key")
    (tmp_path / "match.bundle").write_bytes(b"".join(forger.lines()))
    assert standalone.check_file(str(tmp_path / "match.bundle"), [], [], True)["exit"] == FindingKind.UNREADABLE


def extended(note: str) -> str:
    """The same checkpoint, signed with two more lines."""
    text = f"{note.partition(chr(10) * 2)[0]}\n2026-11-28\n\N{EM DASH} a line like a signature\n"
    return honest().house.signer.sign_note(text.partition("\n")[0], text)


def test_extension_lines_of_checkpoints_and_receipts_are_passed_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forger = work(untouched())
    forger.publish()
    forger.checkpoints = [extended(note) for note in forger.checkpoints]
    forger.published = [replace(line, note=extended(line.note)) for line in forger.published]
    notes = [extended(note) for note in forger.receipts[:3]]
    bundle, kept = tmp_path / "match.bundle", tmp_path / "kept"
    bundle.write_bytes(b"".join(forger.lines()))
    kept.write_text("".join([notes[0], forger.receipts[1], *notes[1:]]), "utf-8")
    assert standalone.read_receipts(str(kept)) == [notes[0], forger.receipts[1], *notes[1:]]
    code, (report,) = told(capsys, bundle, "--receipts", kept)
    assert (code, report["checks"]["compared"], report["checks"]["published"]) == (0, "done", "done")
    assert check_bundle(read_bundle_file(bundle), (), notes).is_sound
    forger.checkpoints = [note.replace("2026", "2027") for note in forger.checkpoints]
    bundle.write_bytes(b"".join(forger.lines()))
    assert told(capsys, bundle)[0] == FindingKind.SIGNATURE


def english_texts() -> set[str]:
    """What the file says of findings, and of what was not checked, with gaps for what is filled in."""
    found = set()
    for node in ast.walk(ast.parse(SOURCE)):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            at = {"add_finding": 1, "build_finding": 1, "VerificationError": 0, "append": 0}.get(name)
            if at is not None and len(node.args) > at:
                found |= set(texts_of(node.args[at]))
        if isinstance(node, ast.FunctionDef) and node.name in standalone.CHECKS:
            returns = (each for each in ast.walk(node) if isinstance(each, ast.Return) and each.value is not None)
            found |= {text for each in returns for text in texts_of(each.value)}
    return {text for text in found if " " in text and text not in ("line {}: {}",)}


def texts_of(node: ast.AST | None) -> list[str]:
    if isinstance(node, ast.IfExp):
        return [*texts_of(node.body), *texts_of(node.orelse)]
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.JoinedStr):
        return ["".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)]
    return []


def test_it_is_whole_in_german() -> None:
    texts = english_texts() - USAGE
    assert len(texts) > 50
    assert sorted(texts - standalone.GERMAN.keys()) == []
    for english, german in standalone.GERMAN.items():
        assert english.count("{}") == german.count("{}"), english
        assert standalone.translate(english.replace("{}", "7"), "de") == german.replace("{}", "7"), english
    assert all(len(set(each)) == 2 for each in (*standalone.CHECKS.values(), *standalone.STATES.values()))
    assert standalone.translate("line 3: a field is malformed", "de") == "Zeile 3: ein Feld ist fehlerhaft"
    assert standalone.translate("a receipt: the signature does not fit", "de") == "Quittung: die Signatur passt nicht"


# said when a command is misused, where the parser of arguments speaks English as well
USAGE = {"a public key has 32 bytes", "the key is not Ed25519", "the key does not fit its own line", "no public key",
         "{} holds no receipts, or not only receipts", "{} holds no refusals, or not only refusals",
         "no key of a witness", "--require: {} is none of {}"}  # fmt: skip


@pytest.mark.parametrize(
    ("lang", "words"), [("en", ("PROVED", "NOBODY VOUCHES", "WRONG")), ("de", ("BEWIESEN", "NIEMAND BÜRGT", "FALSCH"))]
)
def test_it_has_three_verdicts_and_names_the_key(
    lang: str, words: tuple[str, ...], bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    print_of = honest().house.signer.fingerprint
    key, named = base64.b64encode(honest().house.signer.public).decode(), f"{print_of[:4]} {print_of[4:8]}"
    (tmp_path / "kept").write_text("".join(honest().receipts[:3]), "utf-8")
    forger = work(untouched())
    forger.drop(5)
    (tmp_path / "wrong").write_bytes(b"".join(forger.lines()))
    proofs = ([bundle, "--key", key], [bundle, "--receipts", tmp_path / "kept"])
    for given, word in (*((each, words[0]) for each in proofs), ([bundle], words[1]), ([tmp_path / "wrong"], words[2])):
        standalone.main([*map(str, given), "--lang", lang])
        output = capsys.readouterr().out
        assert word in output
        assert named in output
    assert told(capsys, bundle, "--receipts", tmp_path / "kept")[1][0]["verdict"] == "proves"
    assert told(capsys, bundle)[1][0]["verdict"] == "consistent"


def test_two_files_of_one_match_that_contradict_each_other_are_shown_side_by_side(
    bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forger = work(untouched())
    forger.envelope(7, lambda data: data.update(at=data["at"] + 1))
    forger.cover("key")
    (tmp_path / "other").write_bytes(b"".join(forger.lines()))
    assert told(capsys, bundle)[0] == told(capsys, tmp_path / "other")[0] == 0
    code, (_, second) = told(capsys, bundle, tmp_path / "other")
    (finding,) = second["findings"]
    assert code == finding["code"] == FindingKind.FORK
    assert finding["why"].startswith("from entry 7 on")
    assert "match.bundle" in finding["why"]
    assert "other" in finding["why"]


def test_an_older_file_with_a_later_receipt_is_no_accusation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "kept").write_text(honest().receipts[-1], "utf-8")
    forger = work(untouched())
    forger.header = replace(forger.header, status="running", eyes="sealed")
    forger.cut(forger.size - 3)
    forger.secrets, forger.draws = [], []
    forger.sign()
    (tmp_path / "older").write_bytes(b"".join(forger.lines()))
    code, (report,) = told(capsys, tmp_path / "older", "--receipts", tmp_path / "kept")
    assert (code, report["verdict"]) == (0, "consistent")
    assert any("get a newer one" in notice for notice in report["notices"])


DAY = 24 * 3600 * 1000


@pytest.mark.parametrize("change", [
    lambda forger: forger.envelope(9, lambda data: data.update(at=data["at"] - 10 * DAY)),
    lambda forger: forger.envelope(9, lambda data: data.update(at=5 * 10**12)),
    lambda forger: setattr(forger, "keys", [replace(forger.keys[0], since_ms=4_102_444_800_000)]),
    lambda forger: setattr(forger, "header", replace(forger.header, made_ms=0)),
])  # fmt: skip
def test_times_that_cannot_be_are_found(change: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    forger = work(untouched())
    change(forger)
    forger.cover("key")
    (tmp_path / "match.bundle").write_bytes(b"".join(forger.lines()))
    code, (report,) = told(capsys, tmp_path / "match.bundle")
    assert FindingKind.TIME in {each["code"] for each in report["findings"]}
    assert report["checks"]["times"] == "failed"
    assert code == check_bundle(read_bundle_file(tmp_path / "match.bundle")).exit_code

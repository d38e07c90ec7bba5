"""Cosignatures and timestamps travel with a match's file, and every verifier says what they vouch for, or that it did
not judge them."""

from __future__ import annotations

import base64
import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.audit import standalone
from referee.audit.bundles import format as form
from referee.audit.bundles.export import build_bundle_lines, collect_bundle_metadata
from referee.audit.bundles.format import Bundle
from referee.audit.bundles.importing import build_origin
from referee.audit.checks.findings import AuditReport, FindingKind
from referee.audit.checks.verifier import LINE_LIMITS, check_bundle
from referee.audit.outside import Vouchers
from referee.audit.verdicts import REQUIREMENTS
from referee.cli.main import cli
from referee.engine.game import Setup
from referee.eventstore.memory.log import MemoryLog
from referee.games import load_games
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.archives.provenance import OriginStore
from referee.infrastructure.publication.cosigned import CosignedFile
from referee.infrastructure.publication.stamp_files import StampShelf
from referee.infrastructure.publication.stamps import read_certificates, request_stamp
from referee.infrastructure.root_publisher import RootPublisher
from referee.transparency.cosignatures import WitnessKey, cosign
from referee.transparency.key_chain import RootLeaf
from referee.transparency.receipts import Signer, encode_verifier_key, split_note
from tests.arbitration.playing import opened, plays
from tests.audit.house import OTHER, SIGNER, STORE, service
from tests.infrastructure.publication.authority import Authority, build_authority, serve_bytes

WATCHER = Signer(Ed25519PrivateKey.from_private_bytes(bytes(range(2, 34))))
WITNESS = WitnessKey("witness.example/w1", WATCHER.public)
STRANGER = WitnessKey("other.example", WATCHER.public)
NOW_MS = 30 * 24 * 3600 * 1000  # since 1970
LATER = 4_000_000_000  # s since 1970
KEY = encode_verifier_key(f"{STORE}/roots", SIGNER.public)


@dataclass(frozen=True)
class Server:
    """A match whose root was published, and the publisher of the log that has it."""

    house: Any
    match: str
    publisher: RootPublisher
    folder: Path

    def bundle(self) -> Bundle:
        lines = build_bundle_lines(self.house, self.match, "full", collect_bundle_metadata(self.publisher))
        return form.decode_bundle(form.encode_bundle(lines))

    def cosign(self, at_s: int, size: int | None = None) -> None:
        """Have the witness cosign the log."""
        text = split_note(self.publisher.sign_checkpoint(size)[2])[0]
        CosignedFile(self.folder / "cosigned").write(text, [cosign(WATCHER, WITNESS.name, text, at_s)])

    def publish_another(self) -> None:
        """Have the log grow."""
        size = self.publisher.count_leaves()
        self.publisher.publish_root(RootLeaf(f"07-{'z' * 20}{'abcdefgh'[size]}", 5, bytes(32), "finished"))

    def stamp(self, authority: Authority) -> Path:
        with serve_bytes(authority.answer) as url:
            note = self.publisher.sign_checkpoint()[2]
            return request_stamp(url, note, read_certificates(authority.root), self.folder / "stamps")[0]


def open_server(tmp_path: Path) -> Server:
    house, box = service(MemoryLog(lambda: NOW_MS)), load_games()["monster_combat"]
    setup = box.complete_setup(Setup(box.variants[0], 2, {}, dict.fromkeys(box.devices, "server")))
    name = opened(house, "monster_combat", setup, "outside")
    plays(house, name, 1, 400)
    shelf, cosigned = StampShelf(tmp_path / "stamps"), CosignedFile(tmp_path / "cosigned")
    publisher = RootPublisher(house.log, SIGNER, STORE, cosigned, shelf)
    made = Server(house, name, publisher, tmp_path)
    made.publish_another()
    head = house.load_match(name).head
    publisher.publish_root(RootLeaf(name, head.version, head.root, "finished"))
    made.publish_another()
    return made


@pytest.fixture
def server(tmp_path: Path) -> Server:
    return open_server(tmp_path)


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return build_authority(tmp_path_factory.mktemp("authority") / "town")


def write(server: Server, bundle: Bundle) -> Path:
    path = server.folder / "match.bundle"
    path.write_bytes(b"".join(form.encode_bundle(bundle.all_lines)))
    return path


def run(*words: object) -> tuple[int, str]:
    done = CliRunner().invoke(cli, ["verify", *map(str, words)])
    return done.exit_code, done.output


def keys_of(report: AuditReport) -> list[str]:
    return [each.key for each in report.notices if each.key.partition(".")[0] in ("stamp", "witness")]


def test_the_file_shows_the_cosigned_checkpoint_although_the_log_has_grown(server: Server) -> None:
    assert server.bundle().published[0].note.split("\n")[1] == "4"
    server.cosign(LATER)
    server.publish_another()
    bundle = server.bundle()
    (line,) = bundle.published
    assert line.note.split("\n")[1] == "4"
    assert "witness.example/w1" in line.note
    report = check_bundle(bundle, [SIGNER.public], vouchers=Vouchers([WITNESS]))
    assert report.findings == ()
    assert keys_of(report) == ["witness.match"]
    assert keys_of(check_bundle(bundle)) == ["witness.unknown"]


def test_a_checkpoint_from_before_the_match_was_published_is_not_shown(server: Server, authority: Authority) -> None:
    server.cosign(LATER, 2)
    assert "witness" not in server.bundle().published[0].note


def test_the_report_says_up_to_where_a_witness_vouches(server: Server) -> None:
    server.cosign(LATER)
    bundle = server.bundle()
    path, size = write(server, bundle), bundle.header.size
    code, out = run(path, "--key", KEY, "--witness", WITNESS.encode())
    assert code == 0
    assert f"Witness witness.example/w1 vouches for match {server.match} up to entry {size}: at 2096-10-02" in out
    assert "not judged" not in out
    assert "has cosigned none" not in out
    code, out = run(path, "--lang", "de")
    assert "Mitsignaturen von witness.example/w1 wurden nicht geprüft" in out
    code, out = run(path, "--key", KEY, "--witness", STRANGER.encode())
    assert (code, "other.example has cosigned none" in out, "of witness.example/w1 were not" in out) == (0, True, True)


def test_a_cosigned_checkpoint_beside_the_file_vouches_for_the_match_too(server: Server) -> None:
    bundle = server.bundle()
    path = write(server, bundle)
    server.cosign(LATER)
    (server.folder / "roots").write_text(server.publisher.sign_checkpoint()[2])
    beside = (path, "--key", KEY, "--roots", server.folder / "roots")
    code, out = run(*beside, "--witness", WITNESS.encode())
    assert (code, f"vouches for match {server.match} up to entry" in out) == (0, True)
    code, out = run(*beside)
    assert (code, "Cosignatures of witness.example/w1 were not judged" in out) == (0, True)


def test_a_copy_of_a_checkpoint_with_a_malformed_line_is_a_finding_and_no_crash(server: Server) -> None:
    path = write(server, server.bundle())
    server.cosign(LATER)
    note = server.publisher.sign_checkpoint()[2]
    beside = (path, "--key", KEY, "--witness", WITNESS.encode(), "--roots", server.folder / "roots")
    for line in ("x AAA", "x AAAA", "x", ""):
        (server.folder / "roots").write_text(f"{note}{split_note(note)[0]}\n\N{EM DASH} {line}\n")
        code, out = run(*beside)
        assert (code, out.count("vouches for match")) == (FindingKind.SIGNATURE, 1)
    (server.folder / "roots").write_text(3 * note)
    code, out = run(*beside)
    assert (code, out.count("vouches for match")) == (0, 1)


def forge(note: str) -> str:
    """The note with another last byte in its last line."""
    head, _, last = note.rstrip("\n").rpartition(" ")
    raw = base64.b64decode(last)
    return f"{head} {base64.b64encode(raw[:-1] + bytes([raw[-1] ^ 1])).decode()}\n"


def test_a_false_cosignature_is_a_finding(server: Server) -> None:
    server.cosign(LATER)
    bundle = server.bundle()
    wrong = replace(bundle, published=(replace(bundle.published[0], note=forge(bundle.published[0].note)),))
    report = check_bundle(wrong, vouchers=Vouchers([WITNESS]))
    assert [(each.kind, each.key) for each in report.findings] == [(FindingKind.SIGNATURE, "witness.wrong")]
    assert run(write(server, wrong), "--witness", WITNESS.encode())[0] == FindingKind.SIGNATURE


def test_a_match_that_claims_to_be_younger_than_a_cosignature_over_it_is_found(server: Server) -> None:
    server.cosign(NOW_MS // 1000 - 24 * 3600)  # clocks may differ by a day
    assert check_bundle(server.bundle(), vouchers=Vouchers([WITNESS])).findings == ()
    server.cosign(NOW_MS // 1000 - 24 * 3600 - 1)
    report = check_bundle(server.bundle(), vouchers=Vouchers([WITNESS]))
    assert [(each.kind, each.key) for each in report.findings] == [(FindingKind.TIME, "witness.early")]
    assert "1970-01-31" in report.findings[0].render_texts()["de"]


def test_the_file_carries_the_oldest_stamp_over_the_match(server: Server, authority: Authority) -> None:
    kept = server.stamp(authority)
    kept.rename(kept.with_name("20000101T000000Z-first"))  # a second has room for two stamps
    server.publish_another()
    server.stamp(authority)
    bundle = server.bundle()
    assert [line.note.split("\n")[1] for line in bundle.published] == ["5", "4"]
    (stamp,) = bundle.stamps
    assert stamp.note == bundle.published[1].note
    path, size = write(server, bundle), bundle.header.size
    code, out = run(path, "--key", KEY, "--certificate", authority.root)
    assert (code, f"Stamped by {authority.name} on " in out, f"up to entry {size}, so it was not" in out) == (
        0,
        True,
        True,
    )
    code, out = run(path, "--key", KEY, "--certificate", authority.root, "--lang", "de")
    assert (code, f"Gestempelt von {authority.name} am " in out) == (0, True)
    code, out = run(path, "--key", KEY)
    assert (code, "was not judged" in out, "openssl ts -verify" in out) == (0, True, True)
    code, out = run(path, "--key", KEY, "--certificate", build_authority(server.folder / "other").root)
    assert (code, "proves nothing" in out) == (FindingKind.SIGNATURE, True)


def test_a_stamp_beside_the_file_over_a_checkpoint_in_it_dates_the_match(server: Server, authority: Authority) -> None:
    path = write(server, server.bundle())
    kept = server.stamp(authority)
    code, out = run(path, "--key", KEY, "--stamps", kept, "--certificate", authority.root)
    assert (code, f"Stamped by {authority.name} on " in out) == (0, True)


@pytest.mark.parametrize("viewer", ["judged", "not judged"])
def test_a_stamp_that_does_not_fit_is_a_finding(server: Server, authority: Authority, viewer: str) -> None:
    server.stamp(authority)
    bundle = server.bundle()
    vouchers = Vouchers((), read_certificates(authority.root)) if viewer == "judged" else Vouchers()
    assert check_bundle(bundle, vouchers=vouchers).findings == ()
    (stamp,), (line, *_) = bundle.stamps, bundle.published
    spoils: list[tuple[Callable[[], Bundle], str]] = [
        (lambda: replace(bundle, published=(line,), stamps=(replace(stamp, note="x"),)), "stamp.stray"),
        (
            lambda: replace(bundle, stamps=(replace(stamp, response=stamp.response.replace(b"\x04 ", b"\x04!", 1)),)),
            "stamp.wrong",
        ),
        (lambda: replace(bundle, stamps=(replace(stamp, response=b""),)), "stamp.wrong"),
    ]
    for spoil, key in spoils[::2] if viewer == "not judged" else spoils:
        assert [each.key for each in check_bundle(spoil(), vouchers=vouchers).findings] == [key]


def test_an_imported_match_keeps_what_others_said_of_it(server: Server, authority: Authority, tmp_path: Path) -> None:
    server.cosign(LATER)
    server.stamp(authority)
    bundle = server.bundle()
    origins = OriginStore(Archive(tmp_path / "archive"))
    origins.path_for(server.match).parent.mkdir(parents=True, exist_ok=True)
    origins.save_origin(server.match, build_origin(bundle))
    lines = build_bundle_lines(server.house, server.match, "full", collect_bundle_metadata(server.publisher, origins))
    again = form.decode_bundle(form.encode_bundle(lines))
    assert (again.published, again.stamps) == (bundle.published, bundle.stamps)


def test_stamps_of_another_log_or_without_a_checkpoint_are_left_out(server: Server, authority: Authority) -> None:
    kept = server.stamp(authority)
    (kept / "checkpoint").write_text("nothing")
    assert server.bundle().stamps == ()
    (kept / "checkpoint").write_text(SIGNER.sign_receipt("another/roots", 9, bytes(32)))
    fresh = replace(server, publisher=RootPublisher(server.house.log, SIGNER, STORE, None, StampShelf(kept.parent)))
    assert fresh.bundle().stamps == ()
    (kept / "checkpoint").write_text(SIGNER.sign_receipt(f"{STORE}/roots", 4, bytes(32)))
    fresh = replace(server, publisher=RootPublisher(server.house.log, SIGNER, STORE, None, StampShelf(kept.parent)))
    assert fresh.bundle().stamps == (), "the log has another root there"


def test_what_a_witness_says_of_two_checkpoints_is_said_once(server: Server, authority: Authority) -> None:
    server.cosign(LATER)
    server.stamp(authority)
    bundle = server.bundle()
    assert len(bundle.published) == 2
    report = check_bundle(bundle, vouchers=Vouchers([WITNESS]))
    assert keys_of(report) == ["witness.match", "stamp.unjudged"]
    told, _ = standalone.check_and_keep(
        str(write(server, bundle)),
        [],
        [],
        True,
        standalone.Beside((), {(WITNESS.name, WITNESS.key_id): WITNESS.public}),
    )
    assert sum("vouches for" in each for each in told["notices"]) == 1


def test_openssl_judges_a_stamp_of_a_file(server: Server, authority: Authority) -> None:
    server.stamp(authority)
    (stamp,) = server.bundle().stamps
    (server.folder / "data").write_text(stamp.note)
    (server.folder / "answer").write_bytes(stamp.response)
    command = ["openssl", "ts", "-verify", "-data", "data", "-in", "answer", "-CAfile", str(authority.root)]
    done = subprocess.run(command, cwd=server.folder, capture_output=True, timeout=60, check=False)
    assert b"Verification: OK" in done.stdout


# -- by the file that stands alone -------------------------------------------------------------------------------------


@pytest.fixture
def alone(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, Any, str]]:
    """The exit code of verify.py, its report as data, and what it prints."""

    def ask(path: Path, *words: object, lang: str = "en") -> tuple[int, Any, str]:
        capsys.readouterr()
        code = standalone.main([str(path), *map(str, words), "--json"])
        (report,) = json.loads(capsys.readouterr().out)
        assert standalone.main([str(path), *map(str, words), "--lang", lang]) == code
        return code, report, capsys.readouterr().out

    return ask


def test_verify_py_says_up_to_where_a_witness_vouches(server: Server, alone: Any) -> None:
    server.cosign(LATER)
    bundle = server.bundle()
    path = write(server, bundle)
    says = (
        f"the witness {WITNESS.name} vouches for the match up to entry {bundle.header.size}, on 2096-10-02 07:06:40 UTC"
    )
    code, report, out = alone(path, "--witness", WITNESS.encode())
    assert (code, says in report["notices"], says in out, "judged" in out) == (0, True, True, False)
    assert "der Zeuge witness.example/w1 bürgt für" in alone(path, "--witness", WITNESS.encode(), lang="de")[2]
    code, _, out = alone(path)
    assert (code, f"a cosignature by {WITNESS.name} was not judged" in out) == (0, True)
    wrong = replace(bundle, published=(replace(bundle.published[0], note=forge(bundle.published[0].note)),))
    code, report, _ = alone(write(server, wrong), "--witness", WITNESS.encode())
    assert code == FindingKind.SIGNATURE
    assert [each["why"] for each in report["findings"]] == [
        f"the cosignature of {WITNESS.name}: the signature does not fit"
    ]
    server.cosign(NOW_MS // 1000 - 24 * 3600 - 1)
    code, report, _ = alone(write(server, server.bundle()), "--witness", WITNESS.encode())
    assert (code, report["findings"][0]["version"]) == (FindingKind.TIME, bundle.header.size)


def test_verify_py_compares_checkpoints_of_the_root_log(server: Server, alone: Any) -> None:
    path, roots = write(server, server.bundle()), server.folder / "roots"
    server.cosign(LATER)
    roots.write_text(server.publisher.sign_checkpoint()[2])
    code, report, _ = alone(path, "--roots", roots, "--witness", WITNESS.encode())
    assert (code, "vouches for the match up to entry" in str(report["notices"])) == (0, True)
    roots.write_text(server.publisher.sign_checkpoint(2)[2])
    code, _, out = alone(path, "--roots", roots)
    assert (code, "only its server can prove that the log only grew" in out) == (0, True)
    for note, kind in (
        (SIGNER.sign_receipt(f"{STORE}/roots", 4, bytes(32)), FindingKind.FORK),
        (OTHER.sign_receipt(f"{STORE}/roots", 4, bytes(32)), FindingKind.SIGNATURE),
        (SIGNER.sign_receipt("another/roots", 4, bytes(32)), FindingKind.SIGNATURE),
        (SIGNER.sign_receipt(f"{STORE}/{server.match}", 4, bytes(32)), FindingKind.SIGNATURE),
    ):
        roots.write_text(note)
        assert alone(path, "--roots", roots)[0] == kind
    roots.write_text(
        SIGNER.sign_receipt(f"{STORE}/roots", 9, bytes(32)) + SIGNER.sign_receipt(f"{STORE}/roots", 9, bytes(31) + b"1")
    )
    assert alone(path, "--roots", roots)[0] == FindingKind.FORK


def test_verify_py_writes_a_stamp_out_for_openssl_and_says_that_it_did_not_judge_it(
    server: Server, authority: Authority, alone: Any
) -> None:
    server.stamp(authority)
    bundle = server.bundle()
    path = write(server, bundle)
    code, _, out = alone(path, "--write-stamps", server.folder / "out")
    assert (code, "was NOT judged" in out) == (0, True)
    assert "wurde NICHT geprüft" in alone(path, lang="de")[2]
    (folder,) = (server.folder / "out").iterdir()
    command = ["openssl", "ts", "-verify", "-data", "checkpoint", "-in", "response.tsr", "-CAfile", str(authority.root)]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=60, check=False)
    assert b"Verification: OK" in done.stdout
    (stamp,) = bundle.stamps
    wrong = replace(bundle, stamps=(replace(stamp, response=b"x"),))
    assert alone(write(server, wrong))[0] == FindingKind.SIGNATURE
    wrong = replace(bundle, stamps=(replace(stamp, note="x"),))
    assert alone(write(server, wrong))[0] == FindingKind.PUBLISHED


def spoil_form(note: str) -> list[str]:
    """The note with one more line that none can have, or with a cosignature from after all time."""
    head, _ = split_note(note)
    own = "".join(line for line in note[len(head) + 1 :].splitlines(keepends=True) if WITNESS.name not in line)
    return [
        *(f"{note}\N{EM DASH} {line}\n" for line in ("x AAAA", "x ", " AAAAAAAA", "x\ty AAAAAAAA")),
        note + "\N{EM DASH} x AAAAAAAA\n" * 6000,
        f"{head}\n{own}{cosign(WATCHER, WITNESS.name, head, 2**63)}",
    ]


def test_all_verifiers_refuse_the_same_lines_of_signatures(server: Server, alone: Any) -> None:
    server.cosign(LATER)
    bundle = server.bundle()
    for note in spoil_form(bundle.published[0].note):
        path = write(server, replace(bundle, published=(replace(bundle.published[0], note=note),)))
        assert run(path, "--witness", WITNESS.encode())[0] == FindingKind.SIGNATURE
        assert alone(path, "--witness", WITNESS.encode())[0] == FindingKind.SIGNATURE


def test_verify_py_reads_no_more_lines_of_a_kind_than_referee_verify(
    server: Server, authority: Authority, alone: Any
) -> None:
    server.stamp(authority)
    bundle = server.bundle()
    names = {"keys": "key", "checkpoints": "checkpoint", "stamps": "stamp", "published": "published"}
    assert {names.get(kind, kind.removesuffix("s")): most for kind, most in LINE_LIMITS.items()} == (
        standalone.MOST_OF_KIND
    )
    for many, code in ((100, 0), (101, FindingKind.UNREADABLE)):
        path = write(server, replace(bundle, stamps=bundle.stamps * many))
        assert (run(path)[0], alone(path)[0]) == (code, code)


@pytest.mark.parametrize("option", ["--roots", "--receipts", "--refusals"])
def test_deeply_nested_data_beside_a_file_is_misuse_of_verify_py(server: Server, option: str) -> None:
    (server.folder / "deep").write_text("[" * 100_000)
    with pytest.raises(SystemExit) as ended:
        standalone.main([str(write(server, server.bundle())), option, str(server.folder / "deep")])
    assert ended.value.code == 2


@pytest.mark.parametrize(
    "words", [("--witness", "nonsense"), ("--witness", KEY), ("--require", "luck"), ("--roots", "/no")]
)
def test_wrong_words_are_misuse(server: Server, words: tuple[str, str]) -> None:
    with pytest.raises(SystemExit) as ended:
        standalone.main([str(write(server, server.bundle())), *words])
    assert ended.value.code == 2


def test_verify_py_insists_on_what_is_required(server: Server, alone: Any) -> None:
    path = write(server, server.bundle())
    code, report, out = alone(path, "--require", "key, receipts,published,chance,seeds,signatures")
    assert (code, report["exit"]) == (24, 0)
    assert report["unmet"] == ["key", "receipts", "seeds", "signatures"]
    assert "REQUIRED BUT MISSING (exit code 24): a key that you trust; receipts of yours" in out
    code, report, _ = alone(path, "--require", "key,published,chance", "--key", KEY)
    assert (code, report["unmet"]) == (0, [])
    assert "VERLANGT, ABER NICHT ERFÜLLT" in alone(path, "--require", "seeds", lang="de")[2]
    told = json.loads(
        CliRunner().invoke(cli, ["verify", str(path), "--require", ",".join(REQUIREMENTS), "--json"]).output
    )
    assert told["files"][0]["unmet"] == ["key", "receipts", "seeds", "signatures"], "as referee verify says"

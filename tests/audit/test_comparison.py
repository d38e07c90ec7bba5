"""Find two statements of one server that contradict each other: files, receipts, checkpoints of the root log."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from flask import Flask
from werkzeug.serving import make_server

from referee.audit.bundles import format as form
from referee.audit.bundles.export import collect_bundle_metadata
from referee.audit.checks.findings import FindingKind
from referee.cli.main import cli
from referee.engine.rulebook.book import LANGUAGES
from referee.transparency.merkle import build_consistency_proof, compute_root_of_leaves, leaf_hash
from tests.api import house
from tests.api.signed import SIGNER, signed_app
from tests.api.signed import STORE as API_STORE
from tests.audit.forging import Forger
from tests.audit.sitting import STORE, House, Played, played, signer
from tests.audit.test_rewriting import common, set_back
from tests.audit.test_tampering import MOVES, NUMBER, honest, untouched, work

ROOTS = f"{STORE}/roots"


@cache
def other_story() -> Played:
    """The same match by a server with the same keys, which ends earlier and otherwise."""
    return set_back(MOVES // 2)


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, ["verify", *map(str, arguments)])


def filed(folder: Path, name: str, lines: list[bytes]) -> Path:
    path = folder / name
    path.write_bytes(b"".join(lines))
    return path


def noted(folder: Path, name: str, *notes: str) -> Path:
    path = folder / name
    path.write_text("\n".join(notes), "utf-8")
    return path


def compared(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(result.stdout)["comparison"]
    return found


def both(folder: Path) -> tuple[Path, Path]:
    return (
        filed(folder, "one.bundle", honest().house.bundle(honest().match)),
        filed(folder, "two.bundle", other_story().house.bundle(other_story().match)),
    )


def test_two_stories_of_one_match_that_are_each_sound_prove_a_fork_when_they_are_put_together(tmp_path: Path) -> None:
    one, two = both(tmp_path)
    assert (run(one).exit_code, run(two).exit_code) == (0, 0)
    done = run(one, two)
    assert done.exit_code == FindingKind.FORK
    version = common(honest(), other_story()) + 1
    told = compared(run(one, two, "--json"))
    (finding,) = told["findings"]
    assert (finding["kind"], finding["key"], finding["version"]) == ("fork", "compare.files", version)
    for lang in LANGUAGES:
        left, right = finding["told"][lang].splitlines()
        key = honest().house.signer.fingerprint[:16]
        assert "one.bundle" in left
        assert "two.bundle" in right
        assert key in left
        assert key in right
        assert "1970-01-01 00:16:40 UTC" in left
    roots = [
        base64.b64encode(each.house.log.read_entries(each.match, version - 1, 1)[0].root).decode()
        for each in (honest(), other_story())
    ]
    assert all(root in done.output for root in roots)
    assert "Derselbe Server hat zwei verschiedene Verläufe" in run(one, two, "--lang", "de").output


def test_an_older_and_a_newer_file_of_one_match_and_files_of_several_matches_agree(tmp_path: Path) -> None:
    whole = honest().house.bundle(honest().match)
    forger = work(untouched())
    forger.cut(forger.size - 3)
    forger.sign()
    forger.secrets, forger.draws = [], []
    public = filed(tmp_path, "public", honest().house.bundle(honest().match, "public"))
    another = played(NUMBER + 1, House(), 3)
    files = [filed(tmp_path, "whole", whole), public, filed(tmp_path, "another", another.house.bundle(another.match))]
    done = run(*files, "--json")
    assert done.exit_code == 0, done.output
    assert compared(done)["pairs"] == 1
    assert compared(done)["findings"] == []
    older = filed(tmp_path, "older", forger.lines())
    assert compared(run(files[0], older, "--json"))["findings"] == []


def test_a_story_under_another_key_is_no_proof_against_the_server(tmp_path: Path) -> None:
    forger = Forger.on(other_story())
    stranger = signer("another server")
    forger.keys = [form.KeyLine(stranger.public, 0)]
    forger.sign(stranger)
    one, two = both(tmp_path)[0], filed(tmp_path, "strange", forger.lines())
    done = run(one, two, "--json")
    assert done.exit_code == FindingKind.KEY
    assert compared(done)["findings"][0]["key"] == "compare.strangers"


def test_a_receipt_that_the_file_of_another_contradicts_and_two_that_contradict_each_other_are_found(
    tmp_path: Path,
) -> None:
    one, two = both(tmp_path)
    last = common(honest(), other_story()) + 1
    notes = [
        next(note for note in each.receipts if int(note.split("\n")[1]) >= last) for each in (honest(), other_story())
    ]
    mine = noted(tmp_path, "mine", notes[0])
    assert run(one, "--receipts", mine).exit_code == 0
    assert run(two, "--receipts", mine).exit_code == FindingKind.FORK
    origin, size = f"{STORE}/{honest().match}", untouched().size + 7
    beyond = [honest().house.signer.sign_receipt(origin, size, bytes([n]) * 32) for n in (1, 2)]
    told = compared(run(one, "--receipts", noted(tmp_path, "both", *beyond), "--json"))
    assert [each["key"] for each in told["findings"]] == ["compare.receipts"]


def roots_note(size: int, root: bytes = bytes(32), by: str = "signing") -> str:
    return signer(by).sign_receipt(ROOTS, size, root)


def test_two_checkpoints_of_one_log_of_roots_and_of_one_size_prove_a_fork(tmp_path: Path) -> None:
    key = base64.b64encode(honest().house.signer.public).decode()
    monday, tuesday = noted(tmp_path, "mo", roots_note(9)), noted(tmp_path, "tu", roots_note(9, b"x" * 32))
    later = noted(tmp_path, "we", roots_note(12))
    assert run("--roots", monday, "--roots", monday, "--key", key).exit_code == 0
    done = run("--roots", monday, "--roots", tuesday, "--key", key)
    assert done.exit_code == FindingKind.FORK
    assert str(monday) in done.output
    assert str(tuesday) in done.output
    one = both(tmp_path)[0]
    assert run(one, "--roots", monday, "--roots", tuesday).exit_code == FindingKind.FORK, "the file names the key"
    done = run("--roots", monday, "--roots", later, "--key", key)
    assert done.exit_code == 0
    assert "only be compared by its server" in done.output
    assert run("--roots", monday).exit_code == FindingKind.SIGNATURE, "nobody knows the key"
    strange = noted(tmp_path, "strange", roots_note(9, by="stranger"))
    assert run("--roots", strange, "--key", key).exit_code == FindingKind.SIGNATURE
    receipt = noted(tmp_path, "receipt", honest().receipts[0])
    assert run(one, "--roots", receipt).exit_code == FindingKind.VERSION
    assert run().exit_code == 64


def test_a_checkpoint_of_roots_contradicts_the_one_inside_a_file(tmp_path: Path) -> None:
    forger = work(untouched())
    forger.publish()
    path = filed(tmp_path, "one", forger.lines())
    assert run(path, "--roots", noted(tmp_path, "same", forger.published[0].note)).exit_code == 0
    done = run(path, "--roots", noted(tmp_path, "other", roots_note(1)))
    assert done.exit_code == FindingKind.FORK


class Server:
    """The answers of a server with a log of roots, and one match."""

    def __init__(self, leaves: list[bytes]) -> None:
        self.leaves, self.url = [leaf_hash(leaf) for leaf in leaves], "http://server"
        self.entries = [leaf_hash(line.envelope.encode()) for line in untouched().entries]

    def get(self, path: str, **query: int) -> object:
        public = base64.b64encode(honest().house.signer.public).decode()
        leaves, origin = (
            (self.leaves, ROOTS) if path.startswith("/v1/roots") else (self.entries, f"{STORE}/{honest().match}")
        )

        class Answer:
            body: object = {"store": STORE, "keys": [{"public": public}]}

        if path.endswith("/checkpoint"):
            note = honest().house.signer.sign_receipt(origin, len(leaves), compute_root_of_leaves(leaves))
            Answer.body = {"note": note}
        elif path.endswith("/consistency"):
            proof = build_consistency_proof(leaves[: query["to"]], query["from"])
            Answer.body = {"path": [base64.b64encode(step).decode() for step in proof]}
        return Answer


@pytest.mark.parametrize(
    ("leaves", "code", "key"),
    [
        ([b"a", b"b", b"c", b"d", b"e"], 0, None),
        ([b"a", b"b", b"c"], 0, None),
        ([b"a", b"b"], FindingKind.FORK, "compare.rolled_back"),
        ([b"a", b"x", b"c", b"d"], FindingKind.FORK, "compare.not_grown"),
        ([b"a", b"b", b"x"], FindingKind.FORK, "compare.not_grown"),
    ],
)
def test_a_server_has_to_prove_that_its_log_grew_from_yesterdays(
    leaves: list[bytes], code: int, key: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.cli.commands.histories.verify.ApiClient", lambda _: Server(leaves))
    root = compute_root_of_leaves([leaf_hash(leaf) for leaf in (b"a", b"b", b"c")])
    yesterday = noted(tmp_path, "yesterday", roots_note(3, root))
    given = base64.b64encode(honest().house.signer.public).decode()
    done = run("--roots", yesterday, "--key", given, "--server", "http://server", "--json")
    assert done.exit_code == code, done.output
    assert [each["key"] for each in compared(done)["findings"]] == ([key] if key else [])


def test_a_server_is_asked_about_the_matches_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.cli.commands.histories.verify.ApiClient", lambda _: Server([b"a"]))
    one, two = both(tmp_path)
    assert run(one, "--server", "http://server").exit_code == 0
    done = run(two, "--server", "http://server", "--json")
    assert done.exit_code == FindingKind.FORK
    assert compared(done)["findings"][0]["key"] == "compare.not_grown"


@contextmanager
def listening(app: Flask) -> Iterator[str]:
    """The address of an app."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_server_that_is_really_there_proves_what_it_signed(tmp_path: Path) -> None:
    app = signed_app()
    app.config["BUNDLE_METADATA"] = lambda: collect_bundle_metadata(app.config["PUBLISHER"])
    table, hidden = (house.opened(app, visibility=each) for each in ("public", "private"))
    files = [tmp_path / "public", tmp_path / "private"]
    yesterday = noted(tmp_path, "yesterday", table.anyone.get("/v1/roots/checkpoint", Accept="text/plain").text)
    for each, path in zip((table, hidden), files, strict=True):
        path.write_bytes(each.seats[0].get(f"{each.path}/bundle").data)
    assert table.host.post(f"{table.path}/bots", {"seat": 0, "level": 0}).status_code < 500, "and the match goes on"
    with listening(app) as url:
        done = run(*files, "--roots", yesterday, "--server", url, "--json")
        assert done.exit_code == 0, done.output
        told = compared(done)
        assert (told["state"], told["pairs"], told["findings"]) == ("done", 2, [])
        (note,) = told["notes"]
        assert hidden.match in note["en"], "strangers see nothing of it, which is no finding"
        forged = noted(tmp_path, "forged", SIGNER.sign_receipt(f"{API_STORE}/roots", 1, bytes(32)))
        assert (
            run("--roots", forged, "--key", SIGNER.encode_public_pem(), "--server", url).exit_code == FindingKind.FORK
        )
        ahead = noted(tmp_path, "ahead", SIGNER.sign_receipt(f"{API_STORE}/roots", 9, bytes(32)))
        done = run("--roots", ahead, "--key", SIGNER.encode_public_pem(), "--server", url, "--lang", "de")
        assert done.exit_code == FindingKind.FORK
        assert "zurückgedreht" in done.output

"""Signed refusals: a wrong one is proved by the note, and a right one accuses nobody."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from referee.audit import standalone
from referee.audit.checks.findings import FindingKind
from referee.audit.refusals import RefusalFileError, parse_refusals
from referee.cli.commands.rulings.judge import InvalidDataError
from referee.cli.main import cli
from referee.docs.clients.referee_client import DeviceKey, ProblemError, Referee
from referee.engine.codec import encode, encode_canonical
from referee.engine.game import Setup
from referee.games import load_games
from referee.transparency.device_signatures import compute_move_digest
from referee.transparency.receipts import InvalidNoteError
from referee.transparency.refusals import Refusal, parse_refusal, sign_refusal, verify_refusal
from tests.audit.sitting import STORE, House, Played, begun, over, signer
from tests.audit.test_devices import choose, play

NONCE = "11" * 16


@cache
def sat() -> tuple[Played, dict[str, Any]]:
    """A match, and of one position in it: seat, version, root, a move that is allowed there and one that is not."""
    house, dice = House(), random.Random(8)
    box = load_games()["here_to_slay"]
    match = begun(house, "here_to_slay", box.complete_setup(Setup("standard", 2)), "refusals")
    for _ in range(4):
        play(house, match, dice, set())
    seat, move, version, root = choose(house, match, dice)
    forbidden = {"type": "hts.roll_for", "hero": "no-such-hero"}
    at = {"seat": seat, "version": version, "root": root, "legal": encode(move), "illegal": forbidden}
    play(house, match, dice, set())
    return over(house, match, "refusals"), at


def find_position() -> dict[str, Any]:
    """The position of which refusals are kept."""
    return sat()[1]


def refuse(move: Any, key: str = "signing", **other: Any) -> dict[str, Any]:
    """What a player keeps of the server's refusal of a move in that position."""
    done, at = sat()
    digest = compute_move_digest(NONCE, encode_canonical(move))
    refusal = Refusal(STORE, done.match, at["seat"], at["version"], at["root"], digest, ("HTS-PLAY-1",))
    return {"note": sign_refusal(signer(key).sign_note, replace(refusal, **other)), "nonce": NONCE, "move": move}


def verify(folder: Path, kept: Any, *viewers: str) -> tuple[int, Any]:
    """What is said of a refusal, given the match's files for these viewers: without any the full one."""
    done, _ = sat()
    files = [folder / f"{viewer}.bundle" for viewer in viewers or ["full"]]
    for file in files:
        file.write_bytes(b"".join(done.house.bundle(done.match, file.stem)))
    (folder / "refusals.jsonl").write_text(json.dumps(kept), "utf-8")
    arguments = ["verify", *map(str, files), "--refusals", str(folder / "refusals.jsonl"), "--json"]
    told = CliRunner().invoke(cli, arguments)
    return told.exit_code, json.loads(told.output)["comparison"]


@pytest.mark.parametrize("viewer", ["full", "own"])
def test_a_wrong_refusal_is_proved(viewer: str, tmp_path: Path) -> None:
    at = sat()[1]
    code, found = verify(tmp_path, refuse(at["legal"]), str(at["seat"]) if viewer == "own" else viewer)
    assert code == FindingKind.RULES
    assert [each["key"] for each in found["findings"]] == ["refusal.wrong"]
    assert "HTS-PLAY-1" in found["findings"][0]["says"]["de"]


def test_a_right_refusal_accuses_nobody(tmp_path: Path) -> None:
    code, found = verify(tmp_path, refuse(sat()[1]["illegal"]))
    assert (code, found["findings"]) == (0, [])
    assert found["notes"][0]["en"].startswith("The refusal of player")


def test_a_move_that_was_sent_without_optional_members_is_the_one_refused(tmp_path: Path) -> None:
    whole = {"type": "mc.play", "card": "sword", "target": None}  # as the server reads it
    kept = refuse(whole) | {"move": {"type": "mc.play", "card": "sword"}}
    code, found = verify(tmp_path, kept)
    assert (code, found["findings"]) == (0, [])


def alone(folder: Path, kept: Any, viewer: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, Any]:
    """What verify.py says of a refusal."""
    done, _ = sat()
    (folder / "match.bundle").write_bytes(b"".join(done.house.bundle(done.match, viewer)))
    (folder / "refusals.jsonl").write_text(json.dumps(kept) + "\n\n", "utf-8")
    words = [str(folder / "match.bundle"), "--refusals", str(folder / "refusals.jsonl")]
    code = standalone.main([*words, "--json"])
    return code, json.loads(capsys.readouterr().out)[0]


@pytest.mark.parametrize("viewer", ["full", "public"])
def test_verify_py_says_what_was_signed_and_leaves_the_rules_to_referee_verify(
    viewer: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    at = sat()[1]
    code, report = alone(tmp_path, refuse(at["legal"]), viewer, capsys)
    says = f"it refused this move of player {at['seat'] + 1} upon entry {at['version']} (HTS-PLAY-1)"
    assert (code, says in report["notices"][-1], "NOT judged here" in report["notices"][-1]) == (0, True, True)
    assert "NICHT geprüft" in standalone.translate(report["notices"][-1], "de")
    code, report = alone(tmp_path, refuse(at["legal"], version=10_000), viewer, capsys)
    assert (code, "get a newer one" in report["notices"][-1]) == (0, True)
    code, report = alone(tmp_path, refuse(at["legal"], match="other"), viewer, capsys)
    assert (code, "of another match" in report["notices"][-1]) == (0, True)
    assert alone(tmp_path, refuse(at["legal"], root="00" * 32), viewer, capsys)[0] == FindingKind.FORK
    assert alone(tmp_path, refuse(at["legal"], clauses=()), viewer, capsys)[0] == FindingKind.SIGNATURE


def test_what_is_no_refusal_is_not_said_to_be_of_another_match(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for kept in ({**refuse(find_position()["legal"]), "note": "x"}, refuse(find_position()["legal"], clauses=())):
        assert alone(tmp_path, kept, "full", capsys)[0] == FindingKind.SIGNATURE
        words = ["verify", str(tmp_path / "match.bundle"), "--refusals", str(tmp_path / "refusals.jsonl")]
        done = CliRunner().invoke(cli, words)
        assert (done.exit_code, "another match" in done.output) == (FindingKind.SIGNATURE, False)


def test_a_text_in_a_move_may_hold_line_breaks_of_unicode(tmp_path: Path) -> None:
    kept = {**refuse({"type": "x", "text": "a\u2028b"})}
    (tmp_path / "kept").write_text(json.dumps(kept, ensure_ascii=False) + "\n", "utf-8")
    (again,) = parse_refusals("kept", (tmp_path / "kept").read_text("utf-8"))
    assert again.move == kept["move"]
    assert standalone.read_refusals(str(tmp_path / "kept")) == [kept]


def test_the_client_hands_out_what_proves_a_wrong_refusal(tmp_path: Path) -> None:
    done, at = sat()

    class Line(Referee):
        """A server that refuses every move and signs that."""

        def request(self, method: str, path: str, body: Any = None, *more: Any, **others: Any) -> Any:
            digest = compute_move_digest(body["signed"]["nonce"], encode_canonical(body["move"]))
            refused = {"type": "/problems/illegal-move", "refusal": refuse(body["move"], digest=digest)["note"]}
            raise ProblemError(409, refused)

    line = Line("http://server", match=done.match, seat=at["seat"])
    with pytest.raises(ProblemError) as refused:
        line.make_move(at["legal"], at["version"], key=DeviceKey(), root=at["root"])
    code, found = verify(tmp_path, refused.value.kept)
    assert code == FindingKind.RULES
    assert [each["key"] for each in found["findings"]] == ["refusal.wrong"]


@pytest.mark.parametrize("viewer", ["public", "other"])
def test_files_that_do_not_show_the_hand_accuse_nobody(viewer: str, tmp_path: Path) -> None:
    """By what they show a player could hold any card."""
    at = sat()[1]
    code, found = verify(tmp_path, refuse(at["legal"]), viewer if viewer == "public" else str(1 - at["seat"]))
    assert (code, found["findings"]) == (0, [])
    assert "this file does not show" in found["notes"][0]["en"]


def test_of_several_files_the_one_that_shows_the_hand_is_taken(tmp_path: Path) -> None:
    at = sat()[1]
    code, found = verify(tmp_path, refuse(at["legal"]), "public", str(at["seat"]))
    assert code == FindingKind.RULES
    assert [each["key"] for each in found["findings"]] == ["refusal.wrong"]


def test_a_refusal_upon_another_history_contradicts_this_one(tmp_path: Path) -> None:
    code, found = verify(tmp_path, refuse(sat()[1]["legal"], root="00" * 32))
    assert code == FindingKind.FORK
    assert [each["key"] for each in found["findings"]] == ["refusal.other_history"]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda kept: kept | {"note": kept["note"].replace("HTS-PLAY-1", "HTS-PLAY-2")},
        lambda kept: kept | {"note": refuse(kept["move"], "somebody")["note"]},
        lambda kept: kept | {"nonce": "22" * 16},
        lambda kept: kept | {"nonce": "no hex"},
        lambda kept: kept | {"move": sat()[1]["illegal"]},
        lambda kept: kept | {"move": None},
    ],
    ids=["changed", "another key", "another nonce", "no nonce", "another move", "no move"],
)
def test_what_the_server_did_not_sign_proves_nothing(
    spoil: Callable[[Any], Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = spoil(refuse(sat()[1]["legal"]))
    assert alone(tmp_path, kept, "full", capsys)[0] == FindingKind.SIGNATURE
    code, found = verify(tmp_path, kept)
    assert code == FindingKind.SIGNATURE
    assert [each["key"] for each in found["findings"]] == ["refusal.unsigned"]


def test_a_file_that_does_not_show_enough_says_so(tmp_path: Path) -> None:
    at = sat()[1]
    code, found = verify(tmp_path, refuse(at["legal"], version=10_000))
    assert (code, found["findings"]) == (0, [])
    assert "get a newer one" in found["notes"][0]["en"]
    code, found = verify(tmp_path, refuse(at["legal"], match="other"))
    assert (code, found["findings"]) == (0, [])
    assert "another match" in found["notes"][0]["en"]


NO_REFUSALS = ("", "x", "[]", "{}", '{"note": 1, "nonce": "", "move": {}}', '{"note": "", "nonce": ""}')


@pytest.mark.parametrize("text", NO_REFUSALS)
def test_a_file_without_refusals_is_wrong_usage(text: str, tmp_path: Path) -> None:
    with pytest.raises(RefusalFileError):
        parse_refusals("file", text)
    (tmp_path / "refusals").write_text(text)
    done, _ = sat()
    (tmp_path / "match.bundle").write_bytes(b"".join(done.house.bundle(done.match)))
    told = CliRunner().invoke(cli, ["verify", str(tmp_path / "match.bundle"), "--refusals", str(tmp_path / "refusals")])
    assert isinstance(told.exception, InvalidDataError)
    with pytest.raises(SystemExit) as left:
        standalone.main([str(tmp_path / "match.bundle"), "--refusals", str(tmp_path / "refusals")])
    assert left.value.code == 2


def test_a_note_says_what_was_signed() -> None:
    kept = refuse(sat()[1]["legal"])
    refusal = verify_refusal(kept["note"], [signer().public])
    assert (refusal.store, refusal.match, refusal.clauses) == (STORE, sat()[0].match, ("HTS-PLAY-1",))
    elsewhere, unclear = kept["note"].replace("/refusals", "/other"), kept["note"].replace(sat()[0].match, "two words")
    for wrong in ("", "x", elsewhere, unclear):
        with pytest.raises(InvalidNoteError):
            parse_refusal(wrong)

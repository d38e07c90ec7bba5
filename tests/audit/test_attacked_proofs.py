"""Attacks on both verifiers that once went through, or that they once said different things of."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.audit import standalone
from referee.audit.bundles import format as form
from referee.audit.bundles.format import SecretLine
from referee.audit.checks.findings import FindingKind
from referee.audit.checks.verifier import check_bundle
from referee.engine.chance import RandomBelow
from referee.transparency.randomness import ServerRandomSource
from tests.audit import house
from tests.audit.forging import Forger, stranger
from tests.audit.test_tampering import alone, honest, untouched, whole, work


def told(forger: Forger, folder: Path, receipts: tuple[str, ...] = ()) -> tuple[int, int]:
    """The exit codes of both."""
    lines = forger.lines()
    return whole(lines, list(receipts), []).exit_code, alone(lines, list(receipts), [], folder)["exit"]


class Loaded(ServerRandomSource):
    """Dice of a server that has looked at them before: they are not those of the secret."""

    def source(
        self, match: str, generation: int, place: int, purpose: str, seeds: bytes = b"", scheme: int = 1
    ) -> RandomBelow:
        return super().source(match, generation, place + 1000, purpose, seeds, scheme)


def test_a_match_that_is_over_is_not_called_sealed_to_keep_its_secret_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house, "ServerRandomSource", Loaded)
    found = house.bundled(*house.played("monster_combat"))
    assert FindingKind.CHANCE in {finding.kind for finding in check_bundle(found).findings}
    bare = replace(found, header=replace(found.header, eyes="sealed"), secrets=(), draws=())
    assert check_bundle(bare).exit_code == FindingKind.OPENING
    assert alone(list(form.encode_bundle(bare.all_lines)), [], [], tmp_path)["exit"] == FindingKind.OPENING


def test_no_later_fact_takes_the_place_of_the_commitment(tmp_path: Path) -> None:
    """Who may choose the secret after all is played, chooses the dice."""
    forger = work(untouched())
    taken: list[dict[str, Any]] = []

    def other(data: dict[str, Any]) -> None:
        (event,) = [event for event in data["events"] if event["type"] == "table.MatchOpened"]
        taken.append(dict(event))
        event["commitment"] = "00" * 32

    forger.envelope(1, other)
    forger.envelope(forger.size, lambda data: data["events"].extend(taken))
    forger.cover("key")
    assert told(forger, tmp_path) == (FindingKind.OPENING, FindingKind.OPENING)


@pytest.mark.parametrize("first", [True, False])
def test_a_draw_that_is_told_twice_is_found(first: bool, tmp_path: Path) -> None:
    forger = work(untouched())
    draw = forger.draws[0]
    false = replace(draw, gave=tuple((number + 1) % below for number, below in zip(draw.gave, draw.below, strict=True)))
    forger.draws[0:1] = [false, draw] if first else [draw, false]
    assert told(forger, tmp_path) == (FindingKind.CHANCE, FindingKind.CHANCE)


def test_a_secret_that_is_told_twice_is_found(tmp_path: Path) -> None:
    forger = work(untouched())
    forger.secrets.insert(0, SecretLine(0, bytes(32)))
    assert told(forger, tmp_path) == (FindingKind.OPENING, FindingKind.OPENING)


@pytest.mark.parametrize("value", ["NaN", "1.5", "Infinity", "1e5", "9007199254740993"])
def test_numbers_that_other_readers_read_otherwise_are_none(value: str, tmp_path: Path) -> None:
    forger = work(untouched())
    last = forger.line(forger.size)
    forger.put(forger.size, envelope=last.envelope.replace('"events":[', f'"events":[{value},', 1))
    forger.cover("key")
    one, two = told(forger, tmp_path)
    assert one == two == FindingKind.UNREADABLE


def test_what_a_file_says_of_itself_is_not_printed_as_it_stands(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    forger = work(untouched())
    forger.header = replace(forger.header, match="x\n  nothing is wrong\x1b[8m\u202e")
    (tmp_path / "one").write_bytes(b"".join(forger.lines()))
    assert standalone.main([str(tmp_path / "one")]) == FindingKind.VERSION
    printed = capsys.readouterr().out
    assert "\x1b" not in printed
    assert "\u202e" not in printed
    assert "\n  nothing is wrong" not in printed


def test_a_receipt_of_a_match_is_not_passed_over_for_the_name_of_its_store(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    forger = work(untouched())
    (tmp_path / "a").write_bytes(b"".join(forger.lines()))
    forger.header = replace(forger.header, origin=f"elsewhere/{forger.header.match}")
    signer = stranger()
    forger.keys = [replace(forger.keys[0], public=signer.public)]
    forger.checkpoints = [signer.sign_receipt(forger.header.origin, forger.size, forger.entries[-1].root)]
    (tmp_path / "b").write_bytes(b"".join(forger.lines()))
    (tmp_path / "r").write_text("".join(forger.receipts), "utf-8")
    args = [str(tmp_path / "b"), str(tmp_path / "a"), "--receipts", str(tmp_path / "r"), "--json"]
    assert standalone.main(args) == FindingKind.SIGNATURE
    assert json.loads(capsys.readouterr().out)[1]["exit"] == 0


def test_a_receipt_that_is_of_no_file_is_said_to_be(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(b"".join(untouched().lines()))
    note = honest().house.signer.sign_receipt("store/01-aaaaaaaaaaaaaaaaaaaaaaaaaa", 1, bytes(32))
    (tmp_path / "r").write_text(note, "utf-8")
    args = [str(tmp_path / "a"), str(tmp_path / "b"), "--receipts", str(tmp_path / "r")]
    assert standalone.main(args) == FindingKind.VERSION
    capsys.readouterr()


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("name", ["receipt", "note"])
def test_answers_of_the_server_are_taken_for_receipts_as_they_are_kept(
    name: str, indent: int | None, tmp_path: Path
) -> None:
    (tmp_path / "r").write_text(json.dumps({"size": 1, name: honest().receipts[0]}, indent=indent), "utf-8")
    assert standalone.read_receipts(str(tmp_path / "r")) == [honest().receipts[0]]


def test_a_file_that_unpacks_without_end_is_put_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standalone, "MOST_BYTES", 100_000, raising=False)
    lines = untouched().lines()
    entry = next(line for line in lines if b'"kind":"entry"' in line)  # of which there may be many
    (tmp_path / "bomb").write_bytes(gzip.compress(lines[0] + entry * 5000))
    found = standalone.check_file(str(tmp_path / "bomb"), [], [], True)
    assert found["exit"] == FindingKind.UNREADABLE
    assert "longer" in found["findings"][0]["why"]


@pytest.mark.parametrize("kind", ["[]", "{}", '["draw"]', "null", "1"])
def test_a_line_whose_kind_is_no_text_is_told_and_breaks_nothing(kind: str, tmp_path: Path) -> None:
    lines = untouched().lines()
    lines[-2] = lines[-2].replace(b'"kind":"checkpoint"', b'"kind":' + kind.encode())
    assert whole(lines, [], []).exit_code == FindingKind.UNREADABLE
    assert alone(lines, [], [], tmp_path)["exit"] == FindingKind.UNREADABLE

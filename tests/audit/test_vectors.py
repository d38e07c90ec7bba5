"""The file that stands alone against known answers, none of which was made by this program (vectors/, with sources)."""

from __future__ import annotations

import base64
import hashlib
import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from referee.audit import standalone as alone

VECTORS = Path(__file__).parent / "vectors"


def told(name: str) -> Any:
    return json.loads((VECTORS / f"{name}.json").read_text("utf-8"))


NOTE, CHANCE, DRAWS, TREE = told("note"), told("chance"), told("draws"), told("tree")
SECRET = bytes.fromhex(DRAWS["secret"])
PUBLIC = base64.b64decode(NOTE["public"])
TYPED = base64.b64encode(b"\x01" + PUBLIC).decode()


def test_a_note_that_openssl_signed_is_read() -> None:
    found = alone.verify_checkpoint(NOTE["note"], NOTE["origin"], [bytes(32), PUBLIC])
    assert found == (NOTE["size"], bytes.fromhex(NOTE["root"]))
    assert alone.compute_key_id(NOTE["origin"], PUBLIC).hex() == NOTE["key_id"]


@pytest.mark.parametrize("at", range(0, len(NOTE["note"])))
def test_a_note_with_any_other_letter_is_refused(at: int) -> None:
    letters = list(NOTE["note"])
    letters[at] = "B" if letters[at] == "A" else "A"
    with pytest.raises(alone.VerificationError):
        alone.verify_checkpoint("".join(letters), NOTE["origin"], [PUBLIC])


def test_a_key_is_taken_in_each_of_its_forms(tmp_path: Path) -> None:
    line = f"{NOTE['origin']}+{NOTE['key_id']}+{TYPED}"
    (tmp_path / "key.pem").write_text(NOTE["pem"], "utf-8")
    for form in (NOTE["pem"], NOTE["public"], PUBLIC.hex(), line, str(tmp_path / "key.pem")):
        assert alone.parse_public_key(form) == PUBLIC


@pytest.mark.parametrize("text", ["", "AAAA", "no key", "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n"])
def test_what_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(alone.VerificationError):
        alone.parse_public_key(text)


def test_a_key_line_with_another_key_id_is_refused() -> None:
    line = f"{NOTE['origin']}+00000000+{TYPED}"
    with pytest.raises(alone.VerificationError, match="does not fit"):
        alone.parse_public_key(line)


def test_the_roots_are_the_published_ones() -> None:
    leaves = [alone.hash_leaf(bytes.fromhex(leaf)) for leaf in TREE["leaves"]]
    assert [root.hex() for root in alone.compute_roots(leaves)] == TREE["roots"]
    assert hashlib.sha256(b"").hexdigest() == TREE["empty"]


def test_keys_are_derived_as_the_rfc_says() -> None:
    for case in CHANCE["hkdf"]:
        assert alone.derive_key(bytes.fromhex(case["secret"]), case["info"]).hex() == case["gives"]


def test_salts_and_the_stream_are_those_of_openssl() -> None:
    match, version = CHANCE["match"], CHANCE["version"]
    for who, salt in CHANCE["salts"].items():
        assert alone.compute_salt(SECRET, match, version, who).hex() == salt
    for seeds, blocks in ((b"", CHANCE["stream"]), (CHANCE["seeds"].encode(), CHANCE["seeded"])):
        stream = alone.generate_numbers(SECRET, "mc.RollAttack", f"v1|{match}|{version}", seeds)
        assert "".join(f"{number:016x}" for number in islice(stream, 8)) == "".join(blocks)


@pytest.mark.parametrize("case", DRAWS["cases"], ids=lambda case: f"{case['purpose']}-{case['version']}")
def test_draws_are_those_of_another_program(case: dict[str, Any]) -> None:
    place = f"v1|{DRAWS['match']}|{case['version']}"
    stream = alone.generate_numbers(SECRET, case["purpose"], place, case["seeds"].encode())
    assert alone.draw_numbers(stream, map(int, case["below"])) == [int(number) for number in case["gave"]]


def test_a_shuffle_is_that_of_another_program() -> None:
    told = DRAWS["shuffled"]
    assert alone.shuffle_pile(told["pile"], told["gave"]) == told["order"]

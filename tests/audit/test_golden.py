"""A bundle that was made once and is kept: Shy Monsters, disputed and played on behind its end, so with two secrets.

Another program, in another language, has worked out what it holds (vectors/golden.mjs); both verifiers must agree with
it for ever, whatever becomes of the rules since.
"""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from referee.audit import standalone
from referee.audit.bundles import format as form
from referee.audit.checks.verifier import check_bundle
from referee.audit.standalone import (
    compute_roots,
    compute_salt,
    draw_numbers,
    generate_numbers,
    hash_leaf,
    read_receipts,
)

FOLDER = Path(__file__).parent / "vectors"
FILE, RECEIPTS = FOLDER / "golden.bundle", FOLDER / "golden.receipts"
TOLD: dict[str, Any] = json.loads((FOLDER / "golden.json").read_text("utf-8"))


def test_both_verifiers_find_nothing_in_it() -> None:
    notes = read_receipts(str(RECEIPTS))
    assert len(notes) == TOLD["receipts"]
    assert TOLD["all_signed"]
    assert TOLD["checkpoint"]
    assert standalone.check_file(str(FILE), [], notes, True)["findings"] == []
    report = check_bundle(form.decode_bundle(FILE.read_bytes().splitlines(keepends=True)), (), notes)
    assert report.findings == ()
    assert {check.name for check in report.checks if check.state == "skipped"} == {"book", "devices", "published"}


def test_roots_salts_and_draws_are_those_of_another_program() -> None:
    found = standalone.read_bundle(str(FILE))
    assert TOLD["match"] == found["header"][0]["match"]
    assert [
        root.hex() for root in compute_roots(hash_leaf(entry["envelope"].encode()) for entry in found["entry"])
    ] == TOLD["roots"]
    secrets = [line["secret"] for line in found["secret"]]
    for draw, gave, told in zip(found["draw"], TOLD["draws"], TOLD["salts"], strict=True):
        secret, version = secrets[draw["generation"]], draw["version"]
        stream = generate_numbers(secret, draw["purpose"], f"v1|{TOLD['match']}|{version}", b"")
        assert draw_numbers(stream, draw["below"]) == draw["gave"] == gave
        assert compute_salt(secret, TOLD["match"], version, "full") == base64.b64decode(told)

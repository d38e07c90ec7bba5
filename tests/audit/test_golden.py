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
from referee.audit.checks.verifier import checked
from referee.audit.standalone import drawn, leaf_hash, notes_in, numbers, roots, salt

FOLDER = Path(__file__).parent / "vectors"
FILE, RECEIPTS = FOLDER / "golden.bundle", FOLDER / "golden.receipts"
TOLD: dict[str, Any] = json.loads((FOLDER / "golden.json").read_text("utf-8"))


def test_both_verifiers_find_nothing_in_it() -> None:
    notes = notes_in(str(RECEIPTS))
    assert len(notes) == TOLD["receipts"]
    assert TOLD["all_signed"]
    assert TOLD["checkpoint"]
    assert standalone.report_on(str(FILE), [], notes, True)["findings"] == []
    report = checked(form.read(FILE.read_bytes().splitlines(keepends=True)), (), notes)
    assert report.findings == ()
    assert {check.name for check in report.checks if check.state == "skipped"} == {"book", "published"}


def test_roots_salts_and_draws_are_those_of_another_program() -> None:
    found = standalone.read(str(FILE))
    assert TOLD["match"] == found["header"][0]["match"]
    assert [root.hex() for root in roots(leaf_hash(entry["envelope"].encode()) for entry in found["entry"])] == TOLD[
        "roots"
    ]
    secrets = [line["secret"] for line in found["secret"]]
    for draw, gave, told in zip(found["draw"], TOLD["draws"], TOLD["salts"], strict=True):
        secret, version = secrets[draw["generation"]], draw["version"]
        stream = numbers(secret, draw["purpose"], TOLD["match"], version, b"")
        assert drawn(stream, draw["below"]) == draw["gave"] == gave
        assert salt(secret, TOLD["match"], version, "full") == base64.b64decode(told)

"""The scripts of the page agree with the types that are generated from the contract."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from api.pages.companion import APP
from tests.clients.house import CONTRACT
from tests.clients.npm import install_packages, run

pytestmark = pytest.mark.deep
HERE = Path(__file__).parent
SLIPS = (  # where, what the page says, and what would be wrong
    ("lib/match.js", "this.view = view;", "this.view = moves;"),
    ("scenes/seat/over.js", "outcome.winners", "outcome.winner"),
    ("scenes/seat/moves.js", "each.flag !== null", "each.flags !== null"),
)


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder with the page, the types of the contract, and node."""
    where = tmp_path_factory.mktemp("types")
    node = install_packages(HERE, where)
    shutil.copytree(APP, where / "app")
    shutil.copy(HERE / "tsconfig.json", where)
    (where / "app/vendor").mkdir()
    for declared in HERE.glob("*.d.ts"):
        shutil.copy(declared, where / "app/vendor")
    made = run(where, node, "node_modules/openapi-typescript/bin/cli.js", str(CONTRACT), "-o", "app/contract.d.ts")
    assert made.returncode == 0, made.stderr
    return where, node


def test_the_page_is_written_against_the_contract(room: tuple[Path, str]) -> None:
    where, node = room
    checked = run(where, node, "node_modules/typescript/bin/tsc")
    assert checked.returncode == 0, checked.stdout
    for name, right, wrong in SLIPS:
        path = where / "app" / name
        text = path.read_text("utf-8")
        assert right in text, name
        path.write_text(text.replace(right, wrong, 1), "utf-8")
    slipped = run(where, node, "node_modules/typescript/bin/tsc").stdout  # all at once: each run reads everything
    for name, _, wrong in SLIPS:
        assert f"app/{name}(" in slipped, f"{name}: {wrong} is not noticed"

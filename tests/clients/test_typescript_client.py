"""Types for TypeScript are generated from the contract; a client agrees with them, and plays a match."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.clients.house import CONTRACT, served

HERE = Path(__file__).parent
INSTALLING, RUNNING = 120, 90  # seconds


def run(where: Path, *command: str, timeout: int = RUNNING) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=where, capture_output=True, text=True, timeout=timeout, check=False)


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the tools, the types of the contract and the client."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        pytest.skip("npm and node are not installed")
    version = int(run(HERE, node, "--version").stdout.strip().lstrip("v").partition(".")[0])
    if version < 20:
        pytest.skip(f"node {version} is older than the 20 that package.json asks for")
    where = tmp_path_factory.mktemp("typescript")
    for name in ("package.json", "package-lock.json", ".npmrc", "play.ts", "tsconfig.json"):
        shutil.copy(HERE / name, where)
    quiet = ("--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--prefer-offline")
    try:
        installed = run(where, npm, "ci", *quiet, timeout=INSTALLING)
    except subprocess.TimeoutExpired:
        pytest.skip(f"npm ci did not end within {INSTALLING} s")
    if installed.returncode:
        if "EUSAGE" in installed.stderr or "EINTEGRITY" in installed.stderr:
            pytest.fail(installed.stderr)  # package.json and lock file disagree: ours to mend
        pytest.skip(f"npm ci cannot reach its packages: {installed.stderr.strip()[-200:]}")
    made = run(where, node, "node_modules/openapi-typescript/bin/cli.js", str(CONTRACT), "-o", "contract.ts")
    assert made.returncode == 0, made.stderr
    return where


SLIPS = (  # what the client says, and what would be wrong
    ('game: "shy_monsters"', 'game: "shy_dragons"'),
    ("roles: { dungeon_master: 0 }", "roles: { dungeon_master: 7 }"),
    ("seen: listed.version", 'seen: "listed.version"'),
    ("move: chosen.move", 'move: { type: "sm.fly", x: 0 }'),
    ('about.status === "running"', 'about.status === "going"'),
    ("code: invitation.code", "kode: invitation.code"),
)


@pytest.fixture(scope="module")
def faults(room: Path) -> str:
    """What the compiler says of the client, and of the client with each of the slips."""
    good, files = (HERE / "play.ts").read_text("utf-8"), ["play.ts"]
    for number, (right, wrong) in enumerate(SLIPS):
        assert good.count(right) == 1, right
        files.append(f"slip{number}.ts")
        (room / files[-1]).write_text(good.replace(right, wrong))
    settings = json.loads((room / "tsconfig.json").read_text("utf-8"))
    (room / "tsconfig.json").write_text(json.dumps({**settings, "files": files}))
    return run(room, "node", "node_modules/typescript/bin/tsc", "--project", "tsconfig.json").stdout


def test_a_client_agrees_with_the_generated_types_and_plays_a_match(room: Path, faults: str) -> None:
    assert "play.ts" not in faults, faults
    assert "contract.ts" not in faults, faults
    shutil.copy(room / "out/play.js", room / "play.mjs")
    with served() as (base, _app):
        played = run(room, "node", "play.mjs", base)
    assert played.returncode == 0, played.stderr
    told: list[dict[str, Any]] = json.loads(played.stdout)
    assert len(told) == 5
    assert all(match["status"] == "finished" and match["winners"] for match in told)
    assert sum(match["moves"] for match in told) > 20


@pytest.mark.parametrize("number", range(len(SLIPS)), ids=[wrong for _, wrong in SLIPS])
def test_a_client_that_slips_is_told_so_by_the_types(faults: str, number: int) -> None:
    assert f"slip{number}.ts(" in faults, "the types let it pass"


def test_the_lock_file_names_versions_and_hashes_and_no_address() -> None:
    lock = json.loads((HERE / "package-lock.json").read_text("utf-8"))
    for name, package in lock["packages"].items():
        assert "resolved" not in package, name
        assert name == "" or (package["version"] and package["integrity"].startswith("sha512-")), name
    wanted = json.loads((HERE / "package.json").read_text("utf-8"))["devDependencies"]
    assert all(version[0].isdigit() for version in wanted.values())
    assert {name: lock["packages"][f"node_modules/{name}"]["version"] for name in wanted} == wanted

"""Judging, showing and verifying run without POSIX modules, as on Windows; a server says what it needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from referee.audit.bundles.format import encode_bundle
from tests.audit.house import finished

ROOT = Path(__file__).parents[2]
# Windows has none of these; gunicorn is not installed there.
WITHOUT = "import sys; sys.modules.update(dict.fromkeys(('fcntl', 'resource', 'pwd', 'grp', 'pty', 'gunicorn')))"


def run(*arguments: str | Path, platform: str = sys.platform, given: bytes | None = None) -> tuple[int, str]:
    code = (
        f"{WITHOUT}; from referee.cli.main import main; from referee.cli.commands.running import doctor, serve; "
        f"sys.platform = {platform!r}; main({[*map(str, arguments)]})"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, input=given, capture_output=True, timeout=180, check=False
    )
    return done.returncode, (done.stdout + done.stderr).decode()


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    path = tmp_path / "a.bundle"
    path.write_bytes(b"".join(encode_bundle(finished().all_lines)))
    return path


def test_positions_are_judged() -> None:
    code, position = run("judge", "--example", "monster_combat")
    assert code == 0, position
    code, ruling = run("judge", "-", given=position.encode())
    assert "not allowed" in ruling
    assert code < 64


def test_bundles_are_verified_and_shown(bundle: Path) -> None:
    code, found = run("verify", bundle)
    assert (code, "by the rules" in found) == (0, True), found
    code, found = run("show", bundle)
    assert (code, "Turn 1" in found) == (0, True), found


@pytest.mark.parametrize("command", ["serve", "doctor"])
def test_a_server_says_what_it_needs(command: str) -> None:
    code, said = run(command, platform="win32")
    assert code == 1, said
    assert "use WSL, or" in said
    assert "Traceback" not in said

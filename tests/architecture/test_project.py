"""The project as a whole: what lies at its top, what no file may name, and that its files parse."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from tests.conftest import FIRST

ROOT = Path(__file__).parents[2]
TOP = {
    "pyproject.toml", "referee", "api", "workers", "tests", "openapi.yaml", "docker-compose.yml",
    "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE", "Dockerfile", "requirements.lock",
    "requirements-build.lock",
}  # fmt: skip
# no address of an index of packages, and nothing that lies beside the project
FORBIDDEN = re.compile(r"index.url\s*=?\s*http|\"resolved\": *\"http|\.\./shared")


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout, so there is no list of the project's files")
    return [ROOT / name for name in listed.stdout.decode().split("\0") if name]


def test_only_the_agreed_entries_lie_at_the_top() -> None:
    extra = {path.relative_to(ROOT).parts[0] for path in tracked()} - TOP
    assert not {name for name in extra if not name.startswith(".")}


def test_no_file_names_a_registry_or_a_machine() -> None:
    wrong = []
    for path in tracked():
        if path == Path(__file__) or not path.is_file():  # this file has to spell what it looks for
            continue
        for number, line in enumerate(path.read_text("utf-8", errors="replace").splitlines(), 1):
            if FORBIDDEN.search(line):
                wrong.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}")
    assert not wrong


def test_the_compose_file_names_the_four_parts_and_their_health() -> None:
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))["services"]
    assert {"store", "queue", "api", "worker"} <= services.keys()
    assert all("healthcheck" in services[name] for name in ("store", "queue", "api"))


def test_every_data_file_is_packed() -> None:
    packed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["package-data"]
    assert "**/*.yaml" in packed["referee"]
    for package in ("referee", "api", "workers"):
        kinds = {path.suffix for path in (ROOT / package).rglob("*") if path.is_file()} - {".py", ".pyc"}
        known = {Path(pattern).suffix for pattern in packed.get(package, [])} | {""}
        assert kinds <= known | {".typed"}, package


def test_the_files_that_are_begun_first_are_there() -> None:
    """A file of another name would be begun last, and nothing would say so."""
    assert [name for name in FIRST if not (ROOT / name).is_file()] == []
    assert len(set(FIRST)) == len(FIRST)

"""Installs what a package-lock.json names, for tests that need programs of Node.js."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

INSTALLING, RUNNING = 300, 300  # seconds
QUIET = ("--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--prefer-offline")
OLDEST_NODE = 20  # as package.json asks for


def run(where: Path, *command: str, timeout: int = RUNNING) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=where, capture_output=True, text=True, timeout=timeout, check=False)


def install_packages(folder: Path, where: Path) -> str:
    """Installs into `where` what the lock file of `folder` names, and returns node; skips the test without it."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        pytest.skip("npm and node are not installed")
    version = int(run(folder, node, "--version").stdout.strip().lstrip("v").partition(".")[0])
    if version < OLDEST_NODE:
        pytest.skip(f"node {version} is older than the {OLDEST_NODE} that package.json asks for")
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copy(folder / name, where)
    try:
        installed = run(where, npm, "ci", *QUIET, timeout=INSTALLING)
    except subprocess.TimeoutExpired:
        pytest.skip(f"npm ci did not end within {INSTALLING} s")
    if installed.returncode:
        if "EUSAGE" in installed.stderr or "EINTEGRITY" in installed.stderr:
            pytest.fail(installed.stderr)  # package.json and lock file disagree: ours to mend
        pytest.skip(f"npm ci cannot reach its packages: {installed.stderr.strip()[-200:]}")
    return node

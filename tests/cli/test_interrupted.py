"""Ctrl-C while the console script is still importing ends it without a word."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

INTERRUPTED = """
import runpy, sys

class Interruption:
    def find_spec(self, name, *others):
        if name == "{module}":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interruption())
sys.argv = ["referee", "rules", "list"]
runpy.run_module("{start}", run_name="__main__")
"""


def test_ctrl_c_during_the_imports_is_quiet() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
    start, _, function = project["project"]["scripts"]["referee"].partition(":")
    assert function == "main"
    for module in ("referee.cli.main", "referee.cli.options", "click"):
        code = INTERRUPTED.format(module=module, start=start)
        ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", ""), module

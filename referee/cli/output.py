"""What the commands print: text for people, or one JSON value with `--json`. NO_COLOR is obeyed by rich itself."""

from __future__ import annotations

import json
import sys
from typing import Any

from rich.console import Console


def make_console() -> Console:
    """Where text for people goes. Addresses and paths are never wrapped, numbers never coloured."""
    return Console(highlight=False, soft_wrap=True)


def print_notice(text: str) -> None:
    """A line beside the answer: progress, a warning. It goes to standard error."""
    print(text, file=sys.stderr, flush=True)


def print_json(value: Any) -> None:
    """One JSON value on one line, for programs."""
    print(json.dumps(value, ensure_ascii=False), flush=True)

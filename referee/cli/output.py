"""How commands print: text for people, or one JSON value with `--json`.

Rich itself obeys NO_COLOR.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from rich.console import Console


def make_console() -> Console:
    """Return the console for text.

    It wraps no lines, so that addresses and paths stay whole, and it does not colour numbers.
    """
    return Console(highlight=False, soft_wrap=True)


def print_notice(text: str) -> None:
    """Print a line of progress or a warning to standard error."""
    print(text, file=sys.stderr, flush=True)


def print_json(value: Any) -> None:
    """Print one JSON value on one line, for programs."""
    print(json.dumps(value, ensure_ascii=False), flush=True)

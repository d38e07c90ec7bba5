"""Mauls bundles far more often than a test can: `python -m tests.bench.mauled 5000`. It ends at the first that breaks
the verifier, or is not found."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.audit.test_fuzzed import SETTINGS, a_byte, an_entry, whole_lines

CAMPAIGNS: tuple[Callable[[st.DataObject], None], ...] = (a_byte, whole_lines, an_entry)


def main(examples: int) -> None:
    """Runs every campaign with so many examples, drawn anew each time."""
    for campaign in CAMPAIGNS:
        began = time.monotonic()
        settings(SETTINGS, max_examples=examples, derandomize=False)(given(st.data())(campaign))()
        print(f"{campaign.__name__}: {examples} examples in {time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)

"""Runs the console script, also as `python -m referee.cli`.

Ctrl-C ends it without a word, even while the rest is still being imported.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Import the commands and run one; exit with its code."""
    try:
        from referee.cli.main import main as run_command

        run_command()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()

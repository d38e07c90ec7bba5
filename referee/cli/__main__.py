"""Runs the console script: `python -m referee.cli`."""

from referee.cli.main import main

main()

"""`python -m referee.cli` is the console script."""

from referee.cli.main import main

main()

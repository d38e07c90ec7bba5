"""Commands about the history of a match: show, export, verify, audit, move, archive."""

"""The one way in for players and workers: load, decide, append."""

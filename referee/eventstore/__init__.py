"""The event store: what a log of matches promises, in memory and on Redis."""

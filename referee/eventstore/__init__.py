"""The event store: what a log of matches promises, in memory and on a Redis stream."""

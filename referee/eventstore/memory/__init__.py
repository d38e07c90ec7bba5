"""The event store in memory: for warm-up, for `referee judge`, and for tests."""

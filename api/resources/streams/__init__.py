"""The resource `streams`: the log as server-sent events."""

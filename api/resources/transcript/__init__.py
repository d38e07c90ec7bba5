"""The resource `transcript`."""

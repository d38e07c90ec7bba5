"""The resource `streams`."""

"""The resource `games`."""

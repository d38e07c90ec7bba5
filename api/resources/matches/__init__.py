"""The resource `matches`."""

"""The resource `moves`."""

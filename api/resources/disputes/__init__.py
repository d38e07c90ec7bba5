"""The resource `disputes`."""

"""The resource `standings`."""

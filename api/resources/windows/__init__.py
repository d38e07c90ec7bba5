"""The resource `windows`."""

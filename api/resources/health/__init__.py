"""The resource `health`."""

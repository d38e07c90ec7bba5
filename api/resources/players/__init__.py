"""The resource `players`."""

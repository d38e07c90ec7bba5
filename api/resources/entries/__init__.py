"""The resource `entries`."""

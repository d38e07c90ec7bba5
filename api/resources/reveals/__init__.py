"""The resource `reveals`."""

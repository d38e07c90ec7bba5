"""The resource `takebacks`."""

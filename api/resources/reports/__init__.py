"""The resource `reports`."""

"""The resource `seats`."""

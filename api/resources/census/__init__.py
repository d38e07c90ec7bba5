"""The resource `census`."""

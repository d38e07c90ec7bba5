"""The resource `health`: the service itself."""

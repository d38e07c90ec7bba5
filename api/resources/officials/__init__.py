"""The resource `takebacks`: requests to go back."""

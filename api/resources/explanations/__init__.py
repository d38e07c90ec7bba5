"""The resource `explanations`."""

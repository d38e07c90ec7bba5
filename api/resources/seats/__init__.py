"""The resource `seats`: who sits where."""

"""The rules of the actions of a turn."""

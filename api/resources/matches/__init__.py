"""The resource `matches`: a match from the lobby to the end."""

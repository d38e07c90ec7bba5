"""Commands about the history of a match."""

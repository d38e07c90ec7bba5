"""The resource `card books`."""

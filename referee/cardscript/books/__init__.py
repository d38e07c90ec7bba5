"""A game's own cards and card books: read, checked and compiled."""

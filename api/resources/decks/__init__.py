"""The resource `decks`."""

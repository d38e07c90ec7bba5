"""The resource `decks`: decks that players keep with their accounts."""

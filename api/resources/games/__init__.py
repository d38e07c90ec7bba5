"""The resource `games`: rulebooks, cards and bots."""

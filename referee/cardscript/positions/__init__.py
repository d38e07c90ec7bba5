"""Written positions of games with cards: what all games share."""

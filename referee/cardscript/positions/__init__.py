"""Positions of games with cards, as people write them: what is the same in each game."""

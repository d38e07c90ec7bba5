"""Written positions: what follows from one table for each game."""

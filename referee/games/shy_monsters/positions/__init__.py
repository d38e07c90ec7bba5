"""Positions of Shy Monsters as people write them."""

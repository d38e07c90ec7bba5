"""Positions of Monster Combat as people write them."""

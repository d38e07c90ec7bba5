"""Matches of tournaments: opened for their tables, and made to follow them."""

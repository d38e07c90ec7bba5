"""Boards: what is drawn of a match."""

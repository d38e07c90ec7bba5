"""Draws the table in the terminal."""

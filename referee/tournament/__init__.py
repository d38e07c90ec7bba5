"""Tournaments: pairings, results, standings and their exports. All of it is pure."""

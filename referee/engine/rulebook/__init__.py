"""Clauses and texts of a game, with interpretations, rulesets and editions."""

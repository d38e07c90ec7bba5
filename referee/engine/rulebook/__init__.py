"""Numbered clauses and the texts of a game, their interpretations, rulesets and editions."""

"""Positions as people write them: form, reading, writing, contradictions, census."""

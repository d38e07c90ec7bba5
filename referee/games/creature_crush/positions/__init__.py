"""Positions as people write them: form, reading, writing, what cannot be, and the census of the cards."""

"""The resource `moves`: legal moves, dry runs and moves."""

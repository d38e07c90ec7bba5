"""The census of a match: what a viewer was shown of each card, and whether all of it can be true."""

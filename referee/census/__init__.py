"""The census: what a viewer was shown of each card, and whether all can be true."""

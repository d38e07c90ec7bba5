"""Projections: read models folded from the feed, kept beside their own cursor."""

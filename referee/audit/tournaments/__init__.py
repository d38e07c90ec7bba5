"""The bundles of tournaments: how they are made, and how they are judged."""

"""What a viewer may ask of a match: views, legal moves, explanations, disputes."""

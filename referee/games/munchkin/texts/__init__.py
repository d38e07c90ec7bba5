"""The card texts of this game: their vocabulary and their programs."""

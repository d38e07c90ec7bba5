"""What the rules demand of each kind of move, whatever question is open."""

"""The board of Munchkin: what is drawn of a table."""

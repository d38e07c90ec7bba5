"""The board of Creature Crush: what is drawn of a table."""

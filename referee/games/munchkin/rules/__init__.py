"""The rules of this game, by what is going on at the table."""

"""The rules of this game, by what is going on."""

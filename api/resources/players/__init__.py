"""The resource `players`: accounts of players, and their matches."""

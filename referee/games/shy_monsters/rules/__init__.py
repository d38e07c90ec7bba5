"""The rules of Shy Monsters, a file per chapter of the rulebook."""

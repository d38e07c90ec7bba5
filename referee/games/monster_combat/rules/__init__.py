"""The rules of Monster Combat, a file per chapter of the rulebook."""

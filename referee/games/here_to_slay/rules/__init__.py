"""The rules of Here to Slay, a file per chapter."""

"""The board of Here to Slay: what is drawn of a table."""

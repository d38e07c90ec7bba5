"""Cards as a table: sentences with blanks, and the way from rows to a card book."""

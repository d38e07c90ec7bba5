"""The language of card texts: its parser, its interpreter, and the table of a game that uses it."""

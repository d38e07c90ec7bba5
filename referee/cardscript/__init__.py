"""The language of card texts: parser, interpreter, and the tables that use it."""

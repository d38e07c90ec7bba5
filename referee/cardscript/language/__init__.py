"""The primitives of card texts, the parser that checks them, and the interpreter."""

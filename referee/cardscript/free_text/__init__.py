"""Texts that no words say: the people at the table carry them out."""

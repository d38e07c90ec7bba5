"""The language of card texts: words, the reader that checks them, and how a text is carried out."""

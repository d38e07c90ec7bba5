"""Files that people write in YAML or JSON: read with the line of every member, with nothing in them that runs."""

from referee.cardscript.language.parser import Marked, marked_text

__all__ = ["Marked", "marked_text"]

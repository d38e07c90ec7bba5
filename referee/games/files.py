"""Files that people write in YAML or JSON: read with the line of every member, with nothing in them that runs."""

from referee.cardscript.language.parser import LocatedMapping, parse_located_yaml

__all__ = ["LocatedMapping", "parse_located_yaml"]

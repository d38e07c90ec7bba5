"""Read YAML or JSON written by people, keeping lines and running nothing in it."""

from referee.cardscript.language.located_yaml import LocatedMapping, parse_located_yaml

__all__ = ["LocatedMapping", "parse_located_yaml"]

"""Referee: the rules of tabletop games as pure functions, and a log of facts that anyone can check."""

__version__ = "0.1.0"

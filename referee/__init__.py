"""Rules of tabletop games as pure functions, and event logs that anyone can check."""

__version__ = "1.0.0"

"""The rules of Creature Crush, a file for each chapter."""

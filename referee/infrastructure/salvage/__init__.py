"""Recovers what is whole in the files of a damaged store."""

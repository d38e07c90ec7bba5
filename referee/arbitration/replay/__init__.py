"""Replay of a log under its own rules, or under others."""

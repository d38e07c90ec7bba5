"""Judging a log again: by its own rules, or by others."""

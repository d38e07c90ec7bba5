"""Tests of what is reckoned from matches that are over."""

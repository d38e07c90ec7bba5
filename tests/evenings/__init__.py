"""Scripted evenings with real cards and dice, played over the API, and how many writes a turn takes.

`python -m tests.evenings` prints the counts: one write for each thing that is said, and with one tap for all.
"""

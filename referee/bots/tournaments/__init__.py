"""Tournaments between minds: who plays whom, the records, and what they show.

All of it is pure. Files, processes and pages are the command line's.
"""

"""Texts for people in each language, summaries of entries, parts of HTML pages."""

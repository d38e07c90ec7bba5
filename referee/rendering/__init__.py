"""Texts for people in each language, one-sentence summaries, and what HTML pages share."""

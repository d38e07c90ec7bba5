"""Spreadsheets of other programs: read and written as rows of text."""

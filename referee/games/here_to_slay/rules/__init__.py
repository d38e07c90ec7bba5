"""The rules of Here to Slay, one file for each chapter."""

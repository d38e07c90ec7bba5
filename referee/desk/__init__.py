"""The desk: open a match, ask for a ruling, play, view; load, decide, append. It knows the log and the games."""

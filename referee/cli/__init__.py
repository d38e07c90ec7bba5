"""The console script `referee`: runs the server, asks its API, and works on files."""

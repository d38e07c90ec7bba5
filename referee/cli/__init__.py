"""The console script `referee`: starts the server, asks a running API, reads the project's own books."""

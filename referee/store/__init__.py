"""The storage seam: what a log of matches promises, in memory and on a stream server."""

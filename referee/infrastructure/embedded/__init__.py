"""The embedded store servers: found, started, repaired, watched."""

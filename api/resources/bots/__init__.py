"""The resource `bots`."""

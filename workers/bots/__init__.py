"""Bots: the code that plays a bot's seat. What they think is `referee.bots`."""

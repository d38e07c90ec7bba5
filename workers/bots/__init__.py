"""Bots: their strategies, and the code that plays a bot's seat."""

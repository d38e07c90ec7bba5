"""Bots: strategies, and the job that plays a bot's seat."""

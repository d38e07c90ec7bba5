"""What bots that search work out of a floor.

That is all that may lie on it, how it is best walked, and how it is best laid.
"""

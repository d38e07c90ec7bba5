"""The transcript: the readable record of a match by turn, on a screen or on paper.

It also shows the table as it stood. All of it is made of what one viewer was shown: entries, views and the match as the
API gives them, as plain data. So a server, a client and the holder of an exported match write the same transcript, and
it cannot reveal more than was shown.
"""

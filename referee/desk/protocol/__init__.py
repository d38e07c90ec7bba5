"""The protocol of a match: its course by turn, and the table as it stood, for people to read on a screen or on paper.

All of it is made of what a pair of eyes was told: entries, views and the match as the API gives them, as plain data. So
a server, a client and whoever holds an exported match write the same protocol, and it cannot tell more than was told.
"""

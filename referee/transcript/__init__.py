"""The readable record of a match: its history by turn, and the table as it stood, on a screen or on paper.

All of it is made of what one viewer was shown: entries, views and the match as the API gives them, as plain data. So a
server, a client and a holder of an exported match write the same transcript, and it cannot tell more than was shown.
"""

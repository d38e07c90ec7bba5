"""Rulings on written positions, without a match.

`judging` returns the ruling as data. The API's answer, the page to print and the text of the command line are all made
of it. Nothing is stored.

TABLE-JUDGE-1: A table that tracked nothing may write down a position and a move. The referee judges what is written,
says what it leaves out, and keeps nothing of it.
"""

"""Judging without a match: a table that tracked nothing writes down a position and its quarrel (TABLE-JUDGE-1).

`judging.judged` gives the ruling as data; what the API answers, the page to print and the text of the command line are
all made of it. Nothing here keeps anything.
"""

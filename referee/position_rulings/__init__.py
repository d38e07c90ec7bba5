"""Rulings without a match: a table that tracked nothing writes down a position and its question (TABLE-JUDGE-1).

`judging` gives the ruling as data; the API's answer, the page to print and the command line's text are all made of it.
Nothing here keeps anything.
"""

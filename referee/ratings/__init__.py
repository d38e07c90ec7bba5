"""Figures from matches that are over: ratings, statistics of cards, fairness of dice.

Pure, as the rules are: figures come in, figures go out. No rule looks at any of it.
"""

"""Figures from matches that are over: ratings, card statistics, fairness of dice.

All of it is pure: results come in, figures go out. No rule uses any of it.
"""

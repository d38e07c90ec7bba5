"""Arbitration: disputes, automatic rulings, remedies, takebacks, reports. Pure.

It decides what happens when people disagree, or when a move against the rules was made at the table.
"""

"""Arbitration: disputes, automatic rulings, remedies, takebacks, reports. Pure.

What happens when people disagree, or when reality went on against the rules.
"""

"""Merkle trees, the root log, the key chain, receipts and verifiable randomness.

Nothing here knows what a match is.
"""

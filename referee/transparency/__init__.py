"""Merkle trees, the root log, the chain of keys, receipts and verifiable randomness. It knows no match."""

"""The resource `proofs`: checkpoints, receipts, proofs and keys."""

"""The resource `proofs`."""

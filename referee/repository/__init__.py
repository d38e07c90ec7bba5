"""Loading matches from the log: folding, caches, snapshots, card books, proofs."""

"""Load matches from the log: folding, cache, snapshots, card books, proofs."""

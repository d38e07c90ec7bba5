"""Pages to read: the contract and the problems."""

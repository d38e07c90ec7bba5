"""Pages for people: the contract, and the problems."""

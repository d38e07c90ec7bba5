"""The rules of items: equipping, trading, selling, losing, and the claim window."""

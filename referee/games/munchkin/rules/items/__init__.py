"""The rules of items: equipping, trading, selling, losing."""

"""The resource `card books`: owners' own cards, published once."""

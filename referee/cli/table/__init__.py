"""The table in the terminal: `referee play` and `referee watch`."""

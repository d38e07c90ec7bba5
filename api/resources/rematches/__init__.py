"""The resource `rematches`: the same people once again, and seats kept for them."""

"""What a store has to be: its version, and what it does before it acknowledges."""

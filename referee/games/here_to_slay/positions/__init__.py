"""Written positions: schema, decoding, encoding, contradictions, and census."""

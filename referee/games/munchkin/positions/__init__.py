"""Written positions: schema, decoding, encoding, contradictions, and the census."""

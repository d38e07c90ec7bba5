"""How answers are encoded: which language, and packed or not."""

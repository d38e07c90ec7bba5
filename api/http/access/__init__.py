"""Access control: tokens, authorization, limits, CORS."""

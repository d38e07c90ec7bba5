"""Who may ask, how much, and from where: tokens, authorization, limits, CORS."""

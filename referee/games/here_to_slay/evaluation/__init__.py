"""How a bot of Here to Slay values a view and a move."""

"""What a bot of Here to Slay thinks a view and a move are worth."""

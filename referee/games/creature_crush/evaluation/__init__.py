"""What a bot of Creature Crush thinks a view and a move are worth."""

"""What a bot of Munchkin thinks a view and a move are worth."""

"""What a view and a move are worth to a bot of Creature Crush."""

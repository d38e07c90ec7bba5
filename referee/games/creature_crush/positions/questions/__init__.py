"""The written form of the open question of Creature Crush."""

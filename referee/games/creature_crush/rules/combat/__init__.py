"""The rules of attacks: declaring, rolling, damage, losing a creature."""

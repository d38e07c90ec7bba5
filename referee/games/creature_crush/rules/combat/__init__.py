"""The rules of attacks: declaring, rolling, damage, losing cards."""

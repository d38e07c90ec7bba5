"""The rules of combat: fighting, helping, fleeing, rewards."""

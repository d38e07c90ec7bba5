"""The rules of combat: fighting, helping, running away, rewards."""

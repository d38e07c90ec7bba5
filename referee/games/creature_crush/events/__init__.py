"""The events of Creature Crush, in the past tense."""

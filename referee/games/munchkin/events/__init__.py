"""What has happened in this game, in the past tense."""

"""What views and moves of Munchkin are worth to a bot."""

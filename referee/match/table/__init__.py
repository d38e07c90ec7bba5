"""What the host and the seats may do with a match apart from playing it."""

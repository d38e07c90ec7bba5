"""Table commands: what the host and the seats may do apart from playing."""

"""What follows from each command of a tournament, or why it is refused."""

"""What people call members, players and moves, in either language and in any case."""

"""High-water marks: the largest history of each log that this server has signed."""

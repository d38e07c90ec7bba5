"""What a server says of itself to those who run it."""

"""Tours of a served program: by hand, to read and to learn from; a small sample of each runs with the tests."""

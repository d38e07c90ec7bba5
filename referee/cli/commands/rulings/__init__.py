"""Commands about rules: judging, house rulings, card books, coverage."""

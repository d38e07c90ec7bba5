"""What happens in Here to Slay, in the past tense. `apply` keeps the books and decides nothing."""

"""Courts above the referee: votes of the table and the last word of officials."""

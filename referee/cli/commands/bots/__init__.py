"""Commands that let bots play each other: matches, tournaments, balance reports."""

"""The match as its log tells it: entries, events, the aggregate, table commands. Pure."""

"""The match as its log describes it: entries, events, aggregate, commands. Pure."""

"""Real tables: reports, what they prove together, what lies against the box."""

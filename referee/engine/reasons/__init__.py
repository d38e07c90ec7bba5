"""Why moves are refused or legal: preconditions and grounds."""

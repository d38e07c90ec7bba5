"""The events of Here to Slay. `apply` only updates the state and decides nothing."""

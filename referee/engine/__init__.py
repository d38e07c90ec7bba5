"""What every game shares. It knows no game."""

"""The resource `rulings`."""

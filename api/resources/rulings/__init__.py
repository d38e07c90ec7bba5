"""The resource `rulings`: rulings on written positions."""

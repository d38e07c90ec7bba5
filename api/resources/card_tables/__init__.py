"""The resource `card tables`: cards by table and by form."""

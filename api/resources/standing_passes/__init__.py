"""The resource `standing passes`."""

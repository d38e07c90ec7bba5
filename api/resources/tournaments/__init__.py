"""The resource `tournaments`: many tables and their officials."""

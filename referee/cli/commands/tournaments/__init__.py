"""The commands for hosts of tournaments."""

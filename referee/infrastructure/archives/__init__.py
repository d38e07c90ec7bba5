"""Archived matches as files, backups of a data directory, and where foreign matches came from."""

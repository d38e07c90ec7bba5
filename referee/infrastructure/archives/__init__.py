"""Archived matches as files, backups of a data directory, and matches' origins."""

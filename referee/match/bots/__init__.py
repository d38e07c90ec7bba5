"""Bots at the table: who they stand in for, and what their moves rest on."""

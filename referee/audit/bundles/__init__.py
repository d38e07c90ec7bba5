"""Bundles: one match as one file. Their format, export, import and archiving."""

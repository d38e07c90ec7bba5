"""One folder per resource: its routes and its schemas."""

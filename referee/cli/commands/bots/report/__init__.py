"""What a tournament shows: as text, as data, and as a page with plots."""

"""The root log told to others: files for a static host, timestamps, witnesses."""

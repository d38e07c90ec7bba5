"""The HTTP API: Flask routes that call the match service and decide nothing."""

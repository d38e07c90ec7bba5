"""The API: Flask turns HTTP into calls of the match service and back; it decides nothing."""

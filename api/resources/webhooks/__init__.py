"""The resource `webhooks`."""

"""The resource `invitations`."""

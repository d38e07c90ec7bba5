"""The resource `invitations`: codes that let people join a match."""

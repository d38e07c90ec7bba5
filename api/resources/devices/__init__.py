"""The resource `devices`: the devices of an account, and links to new ones."""

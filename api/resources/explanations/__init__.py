"""The resource `explanations`: why an entry is right, and how play stands."""

"""Where hidden cards can be: a flow network of what was shown, and its solver."""

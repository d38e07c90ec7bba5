"""The resource `transcript`: the log as a page to print."""

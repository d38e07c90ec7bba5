"""The resource `entries`: the log, and the view of the table."""

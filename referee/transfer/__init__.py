"""Moving a running match from one server to another."""

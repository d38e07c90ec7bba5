"""The resource `bots`: bots that take seats and leave them."""

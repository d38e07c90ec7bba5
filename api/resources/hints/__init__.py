"""The resource `hints`: what the referee advises a seat."""

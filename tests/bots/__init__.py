"""Tests of what thinks for a seat."""

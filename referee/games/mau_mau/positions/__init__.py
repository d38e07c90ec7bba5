"""Positions of Mau-Mau as people write them."""

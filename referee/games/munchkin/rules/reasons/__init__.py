"""Reasons of rulings: what moves have to meet, and what legal ones rest on."""

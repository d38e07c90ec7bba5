"""Gunicorn as this server runs it: its settings, its worker class, its shutdown."""

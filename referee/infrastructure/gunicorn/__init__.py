"""Gunicorn as this server runs it: its settings, its worker class, its shutdown."""

METRICS_DIR_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"  # the name by which prometheus_client knows the directory

"""The resource `bundles`."""

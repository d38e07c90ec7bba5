"""The resource `bundles`: a match as one file, and bundles submitted for a check."""

"""Jobs and loops: deadlines, recovery, archiving, publishing roots, checking bundles."""

"""The job that checks bundles, under the path that it had before 0.2: jobs may be waiting in a queue."""

from workers.jobs.bundle_check import check_bundle as job

__all__ = ["job"]

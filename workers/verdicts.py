"""The path of the job `check_bundle` before 0.2, for jobs waiting in a queue."""

from workers.jobs.bundle_check import check_bundle as job

__all__ = ["job"]

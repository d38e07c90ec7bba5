"""Admission of requests, problem documents and responses, shared by all endpoints."""

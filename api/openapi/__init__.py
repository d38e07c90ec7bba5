"""The contract: OpenAPI 3.1, generated from the declared endpoints."""

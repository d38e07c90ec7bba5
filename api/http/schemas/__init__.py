"""Fields, polymorphic schemas and problem documents, shared by all resources."""

"""Fields, polymorphic schemas and problem documents: the shapes that all resources share."""

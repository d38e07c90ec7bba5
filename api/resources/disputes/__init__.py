"""The resource `disputes`: disputes, their rulings and remedies."""

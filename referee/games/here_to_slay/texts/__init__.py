"""The cards of Here to Slay: their faces, the words of their texts, and programs."""

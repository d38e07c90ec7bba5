"""What the cards of Here to Slay say: their faces, the words of their texts, and the programs these become."""

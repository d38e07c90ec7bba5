"""The words of this game's cards, and the programs that their texts become."""

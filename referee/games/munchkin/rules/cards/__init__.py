"""The rules of playing cards, curses and card texts."""

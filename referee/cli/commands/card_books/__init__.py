"""Commands about card books: check, show, print, try and publish them."""

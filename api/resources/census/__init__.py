"""The resource `census`: whether all that was shown of the cards can be true."""

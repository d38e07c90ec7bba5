"""The rules of Mau-Mau as steps."""

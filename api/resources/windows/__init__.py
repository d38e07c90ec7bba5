"""The resource `windows`: reactions that seats are asked for."""

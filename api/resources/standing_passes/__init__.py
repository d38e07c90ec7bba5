"""The resource `standing passes`: windows that a seat passes in advance."""

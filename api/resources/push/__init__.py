"""The resource `push`: what an account is sent when it is asked for something."""

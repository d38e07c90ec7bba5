"""What every endpoint shares: the request's way in, problem documents, responses."""

"""`referee mcp`: rules questions of assistants, answered with the clause.

The tools are an adapter: what they answer comes from the rooms that the commands and the API use. Only `server.py`
knows the SDK of the Model Context Protocol; the others return plain answers.
"""

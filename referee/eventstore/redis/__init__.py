"""The event store on a stream server (Redis or Valkey): one Lua script per act."""

-- Of each stream in KEYS the entries after an id, up to a number. ARGV: id and number, for each key in turn. The streams
-- may lie in several partitions: this only reads, and only one server is asked.
local changes = {}
for key = 1, #KEYS do
  changes[key] = redis.call('XRANGE', KEYS[key], '(' .. ARGV[2 * key - 1], '+', 'COUNT', ARGV[2 * key])
end
return changes

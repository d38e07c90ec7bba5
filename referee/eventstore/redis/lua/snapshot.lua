-- KEYS snap head; ARGV version rules body -> 1 if written: over a lower version or other rules, not beyond the log, and
-- not of a match that is archived or asleep
local about = redis.call('HMGET', KEYS[2], 'v', 'status', 'asleep')
if about[2] == 'archived' or about[3] then return 0 end
local head = tonumber(about[1] or '0')
local kept = redis.call('HMGET', KEYS[1], 'v', 'rules')
local version = tonumber(ARGV[1])
if version < 1 or version > head or (kept[2] == ARGV[2] and version <= tonumber(kept[1])) then return 0 end
redis.call('HSET', KEYS[1], 'v', ARGV[1], 'rules', ARGV[2], 'body', ARGV[3])
return 1

-- KEYS decks; ARGV deck held -> {answer, version}
local kept = redis.call('HGET', KEYS[1], ARGV[1])
if not kept then return {'GONE', 0} end
local stands = tonumber(string.match(kept, '^(%d+):'))
if ARGV[2] ~= '' and tonumber(ARGV[2]) ~= stands then return {'STALE', stands} end
redis.call('HDEL', KEYS[1], ARGV[1])
return {'OK', stands}

-- KEYS code; ARGV key -> {record, 1 if this key came first now}; nothing where the code is unknown or used up
local kept = redis.call('HMGET', KEYS[1], 'record', 'uses', 'k:' .. ARGV[1])
if not kept[1] then return false end
if kept[3] then return {kept[1], 0} end
if redis.call('HLEN', KEYS[1]) - 2 >= tonumber(kept[2]) then return false end
redis.call('HSET', KEYS[1], 'k:' .. ARGV[1], '1')
return {kept[1], 1}

-- KEYS code -> {record, uses left}
local kept = redis.call('HMGET', KEYS[1], 'record', 'uses')
if not kept[1] then return false end
return {kept[1], tonumber(kept[2]) - (redis.call('HLEN', KEYS[1]) - 2)}

-- KEYS visits -> those that have not run out
local time = redis.call('TIME')
-- include _present.lua
return redis.call('ZRANGEBYSCORE', KEYS[1], from(time), '+inf')

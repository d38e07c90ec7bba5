-- KEYS guard view...; ARGV field, what it is to hold ('=' and the bytes; empty: nothing), count, then the writes
-- -> 1 applied, 0 the field holds something else, -1 as above, also where the guard is no hash
-- include _write.lua
local kind = redis.call('TYPE', KEYS[1]).ok
if kind ~= 'none' and kind ~= 'hash' then return -1 end
local held = redis.call('HGET', KEYS[1], ARGV[1])
if (held and '=' .. held or '') ~= ARGV[2] then return 0 end
return written(4, tonumber(ARGV[3])) and 1 or -1

-- KEYS log head keys due snap passes visits archived; ARGV match version root -> a LogWriteStatus
-- Never without the tombstone: a log that is merely deleted forgets its last id, and version 1 could come again.
local head = redis.call('HMGET', KEYS[2], 'v', 'root', 'status', 'asked', 'asleep')
if not head[1] then return 'CONFLICT' end
local same = tonumber(head[1]) == tonumber(ARGV[2])
if head[3] == 'archived' then
  if same and head[2] == ARGV[3] then return 'DUP' end
  return 'GONE'
end
if head[3] == 'frozen' then return 'FROZEN' end
if not same or head[3] == 'moved' or head[5] then return 'CONFLICT' end
if head[2] ~= ARGV[3] or redis.call('XLEN', KEYS[1]) ~= tonumber(head[1]) then return 'FORK' end
redis.call('HSET', KEYS[2], 'status', 'archived')
redis.call('ZADD', KEYS[8], ARGV[2], ARGV[1])
if head[4] then redis.call('ZREM', KEYS[4], ARGV[1] .. ':' .. head[4]) end
redis.call('DEL', KEYS[1], KEYS[3], KEYS[5], KEYS[6], KEYS[7])
return 'OK'

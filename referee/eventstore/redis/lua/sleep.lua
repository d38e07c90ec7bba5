-- KEYS log head snap archived; ARGV match version root -> a LogWriteStatus
-- The idempotency keys stay, so that the key of an entry leads to it whether the match sleeps or not.
local head = redis.call('HMGET', KEYS[2], 'v', 'root', 'status', 'asleep')
if head[3] == 'frozen' then return 'FROZEN' end
if not head[1] or tonumber(head[1]) ~= tonumber(ARGV[2]) or head[3] ~= 'open' then return 'CONFLICT' end
if head[2] ~= ARGV[3] then return 'FORK' end
if head[4] then return 'DUP' end
if redis.call('XLEN', KEYS[1]) ~= tonumber(head[1]) then return 'FORK' end
redis.call('HSET', KEYS[2], 'asleep', '1')
redis.call('ZADD', KEYS[4], ARGV[2], ARGV[1])
redis.call('DEL', KEYS[1], KEYS[3])
return 'OK'

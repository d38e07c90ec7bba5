-- KEYS log head archived; ARGV match version root, then of each entry: version, envelope, sealed part, root
-- -> a LogWriteStatus
local head = redis.call('HMGET', KEYS[2], 'v', 'root', 'asleep')
if not head[1] then return 'CONFLICT' end
if not head[3] then return 'DUP' end
if tonumber(head[1]) ~= tonumber(ARGV[2]) or head[2] ~= ARGV[3] then return 'CONFLICT' end
for i = 4, #ARGV, 4 do
  redis.call('XADD', KEYS[1], ARGV[i] .. '-0', 'e', ARGV[i + 1], 'x', ARGV[i + 2], 'r', ARGV[i + 3])
end
redis.call('HDEL', KEYS[2], 'asleep')
redis.call('ZREM', KEYS[3], ARGV[1])
return 'OK'

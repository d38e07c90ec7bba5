-- KEYS due about; ARGV run grace -> deadlines moved, once per run of the server
if redis.call('HGET', KEYS[2], 'run') == ARGV[1] then return 0 end
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local late = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', string.format('%d', now))
for _, due in ipairs(late) do redis.call('ZADD', KEYS[1], string.format('%d', now + tonumber(ARGV[2])), due) end
redis.call('HSET', KEYS[2], 'run', ARGV[1])
return #late

-- KEYS names notes about; ARGV match most, then for each seat: seat, 1 or 0 (delete), name -> 1
-- A note wakes those who watch the match.
for at = 3, #ARGV, 3 do
  if ARGV[at + 1] == '1' then redis.call('HSET', KEYS[1], ARGV[at], ARGV[at + 2])
  else redis.call('HDEL', KEYS[1], ARGV[at]) end
end
local note = redis.call('HINCRBY', KEYS[3], 'notes', 1)
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[2], string.format('%d-0', note), 'm', ARGV[1])
return 1

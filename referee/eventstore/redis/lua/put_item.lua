-- KEYS player items; ARGV kind name record most -> 1 if it is kept (the first stays), 0 if there is no such account,
-- -1 if that many items of the kind are there
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local kept, same = redis.call('HGETALL', KEYS[2]), 0
for at = 1, #kept, 2 do
  if kept[at] == ARGV[1] .. ARGV[2] then return 1 end
  if string.sub(kept[at], 1, #ARGV[1]) == ARGV[1] then same = same + 1 end
end
if same >= tonumber(ARGV[4]) then return -1 end
redis.call('HSET', KEYS[2], ARGV[1] .. ARGV[2], ARGV[3])
return 1

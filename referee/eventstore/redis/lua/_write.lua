-- `written(at, count)` does the writes of a view that stand in ARGV from `at`: op, index of its key, field, value each;
-- or, if one does not fit the kind of its key, nothing, and is false.
local needs = {hset = 'hash', hdel = 'hash', zadd = 'zset', zrem = 'zset', del = 'none'}
local function written(at, count)
  local kinds = {}
  for i = at, at + (count - 1) * 4, 4 do
    local need, key = needs[ARGV[i]], tonumber(ARGV[i + 1])
    local kind = kinds[key] or redis.call('TYPE', KEYS[key]).ok
    if need ~= 'none' and kind ~= 'none' and kind ~= need then return false end
    kinds[key] = need
  end
  for i = at, at + (count - 1) * 4, 4 do
    local op, key, field, value = ARGV[i], KEYS[tonumber(ARGV[i + 1])], ARGV[i + 2], ARGV[i + 3]
    if op == 'hset' then redis.call('HSET', key, field, value)
    elseif op == 'hdel' then redis.call('HDEL', key, field)
    elseif op == 'zadd' then redis.call('ZADD', key, value, field)
    elseif op == 'zrem' then redis.call('ZREM', key, field)
    elseif op == 'del' then redis.call('DEL', key) end
  end
  return true
end

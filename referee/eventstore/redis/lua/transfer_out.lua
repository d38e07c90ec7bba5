-- KEYS as for _append.lua, then payload grants names passes; ARGV as for _append.lua (19), then packed, how many grants, names
-- and passes there are, and each of them with its value
local function append()
  -- include _append.lua
end
local at = 24
local function same(key, count)
  local from = at
  at = from + 2 * count
  for i = from, at - 2, 2 do
    if redis.call('HGET', KEYS[key], ARGV[i]) ~= ARGV[i + 1] then return false end
  end
  return true
end
local grants, names, passes = tonumber(ARGV[21]), tonumber(ARGV[22]), tonumber(ARGV[23])
local as_many = redis.call('HLEN', KEYS[9]) == grants and redis.call('HLEN', KEYS[10]) == names
as_many = as_many and redis.call('HLEN', KEYS[11]) == passes
if not (as_many and same(9, grants) and same(10, names) and same(11, passes)) then
  return {'CONFLICT', tonumber(redis.call('HGET', KEYS[2], 'v') or '0'), 0, 0}
end
local done = append()
if done[1] == 'OK' then redis.call('SET', KEYS[8], ARGV[20]) end
return done

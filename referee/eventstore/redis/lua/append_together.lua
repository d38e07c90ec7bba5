-- KEYS as for _append.lua, then passes names visits; ARGV: how many commits, then for each those of _append.lua
-- -> as append.lua, of the last commit; or, if nothing was written, of the one that could not be
-- include _present.lua
local size, count, all = 19, tonumber(ARGV[1]), ARGV
local function commit(at)
  local one = {}
  for i = 1, size do one[i] = all[1 + (at - 1) * size + i] end
  return one
end
local function append(ARGV)
  -- include _append.lua
end
local first = commit(1)
local done, woke = false, 0
-- all that could stop a later commit is checked before the first one is written
if not redis.call('HGET', KEYS[3], first[8]) then
  local at = tonumber(redis.call('HGET', KEYS[2], 'v') or '0')
  for i = 2, count do
    local one = commit(i)
    if redis.call('HGET', KEYS[3], one[8]) then done = {'CONFLICT', at, 0, 0} end
    if string.len(one[3]) + string.len(one[4]) > tonumber(one[16]) then done = {'TOOBIG', at, 0, 0} end
  end
end
if not done then
  for i = 1, count do
    done = append(commit(i))
    if done[1] ~= 'OK' then break end
    woke = math.max(woke, done[4])
  end
end
local asked, due = redis.call('HGET', KEYS[2], 'asked'), false
if asked then due = redis.call('ZSCORE', KEYS[4], first[1] .. ':' .. asked) end
local time, names = redis.call('TIME'), redis.call('HGETALL', KEYS[9])
local passes, visits = redis.call('HGETALL', KEYS[8]), redis.call('ZRANGEBYSCORE', KEYS[10], from(time), '+inf')
return {done[1], done[2], done[3], woke, time, due, passes, names, visits}

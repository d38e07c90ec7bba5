-- KEYS as for _append.lua, then grants passes names visits; ARGV as for _append.lua, then token record decided largest_difference
-- -> as _append.lua, then the time, the due of this match, the standing passes, names and visits
-- include _present.lua
local function append()
  -- include _append.lua
end
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local stale = ARGV[20] ~= '' and redis.call('HGET', KEYS[8], ARGV[20]) ~= ARGV[21]
stale = stale or (ARGV[22] ~= '' and math.abs(now - tonumber(ARGV[22])) > tonumber(ARGV[23]))
if not stale and ARGV[22] ~= '' then -- what was only recalled may be of a history that nobody was told of
  local head = redis.call('HMGET', KEYS[2], 'v', 'root')
  local at, version = tonumber(head[1] or '0'), tonumber(ARGV[2])
  stale = version > at + 1 or (version == at + 1 and (head[2] or '') ~= ARGV[7])
end
local done
if stale then done = {'STALE', tonumber(redis.call('HGET', KEYS[2], 'v') or '0'), 0, 0}
else done = append() end
local asked, due = redis.call('HGET', KEYS[2], 'asked'), false
if asked then due = redis.call('ZSCORE', KEYS[4], ARGV[1] .. ':' .. asked) end
local names, visits = redis.call('HGETALL', KEYS[10]), redis.call('ZRANGEBYSCORE', KEYS[11], from(time), '+inf')
return {done[1], done[2], done[3], done[4], time, due, redis.call('HGETALL', KEYS[9]), names, visits}

-- KEYS visits notes about; ARGV match seat visit ttl most -> 1 if a seat came or went
-- A visit that has run out counts as one that was there: nobody has been told that it is not.
local seats = function()
  local found, many = {}, 0
  for _, visit in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
    local seat = string.match(visit, '^(%d+):')
    if not found[seat] then many = many + 1 end
    found[seat] = true
  end
  return found, many
end
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local visit, ttl = ARGV[2] .. ':' .. ARGV[3], tonumber(ARGV[4])
local before, were = seats()
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%d', now))
if ttl > 0 then
  redis.call('ZADD', KEYS[1], string.format('%d', now + ttl), visit)
  if redis.call('PTTL', KEYS[1]) < 2 * ttl then redis.call('PEXPIRE', KEYS[1], string.format('%d', 2 * ttl)) end
else redis.call('ZREM', KEYS[1], visit) end
local after, are = seats()
local changed = were ~= are
for seat in pairs(after) do changed = changed or not before[seat] end
if not changed then return 0 end
local note = redis.call('HINCRBY', KEYS[3], 'notes', 1)
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[5], string.format('%d-0', note), 'm', ARGV[1])
return 1

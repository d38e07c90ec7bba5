-- KEYS log head keys due about snap grants passes names visits; ARGV after count key grant match root
-- -> head fields, entries, known, due of this match, time, epoch, snapshot (if after is 0), grant, passes,
--    names, visits
-- Of an open match that still has the version `after` with this root, only the version that asked stands for the head.
-- include _present.lua
local same = redis.call('HMGET', KEYS[2], 'v', 'root', 'status', 'asked', 'asleep')
if ARGV[6] ~= '' and same[1] == ARGV[1] and same[2] == ARGV[6] and same[3] == 'open' and not same[5] then
  local known, due, grant = false, false, false
  if ARGV[3] ~= '' then known = redis.call('HGET', KEYS[3], ARGV[3]) end
  if same[4] then due = redis.call('ZSCORE', KEYS[4], ARGV[5] .. ':' .. same[4]) end
  if ARGV[4] ~= '' then grant = redis.call('HGET', KEYS[7], ARGV[4]) end
  local epoch = redis.call('HGET', KEYS[5], 'epoch')
  local time, passes = redis.call('TIME'), redis.call('HGETALL', KEYS[8])
  local names, visits = redis.call('HGETALL', KEYS[9]), redis.call('ZRANGEBYSCORE', KEYS[10], from(time), '+inf')
  return {same[4] or '', {}, known, due, time, epoch, {false}, grant, passes, names, visits}
end
local head = redis.call('HGETALL', KEYS[2])
local entries = {}
if tonumber(ARGV[2]) ~= 0 then
  local from = '(' .. ARGV[1] .. '-0'
  if tonumber(ARGV[2]) < 0 then entries = redis.call('XRANGE', KEYS[1], from, '+')
  else entries = redis.call('XRANGE', KEYS[1], from, '+', 'COUNT', ARGV[2]) end
end
local known = false
if ARGV[3] ~= '' then known = redis.call('HGET', KEYS[3], ARGV[3]) end
local asked = redis.call('HGET', KEYS[2], 'asked')
local due = false
if asked then due = redis.call('ZSCORE', KEYS[4], ARGV[5] .. ':' .. asked) end
local time = redis.call('TIME')
local epoch = redis.call('HGET', KEYS[5], 'epoch')
local snap = {false, false, false}
if tonumber(ARGV[1]) == 0 then snap = redis.call('HMGET', KEYS[6], 'v', 'rules', 'body') end
local grant = false
if ARGV[4] ~= '' then grant = redis.call('HGET', KEYS[7], ARGV[4]) end
local names, visits = redis.call('HGETALL', KEYS[9]), redis.call('ZRANGEBYSCORE', KEYS[10], from(time), '+inf')
return {head, entries, known, due, time, epoch, snap, grant, redis.call('HGETALL', KEYS[8]), names, visits}

-- KEYS player decks answer; ARGV deck ask record ttl most held
-- -> {answer, version}; key and deck are written in one act, and only beside an account
if redis.call('EXISTS', KEYS[1]) == 0 then return {'GONE', 0} end
local known = redis.call('HMGET', KEYS[3], 'ask', 'version')
if known[1] then
  if known[1] == ARGV[2] then return {'DUP', tonumber(known[2])} end
  return {'REUSED', 0}
end
local kept = redis.call('HGET', KEYS[2], ARGV[1])
local stands = kept and tonumber(string.match(kept, '^(%d+):')) or 0
if ARGV[6] ~= '' and tonumber(ARGV[6]) ~= stands then return {'STALE', stands} end
if not kept and redis.call('HLEN', KEYS[2]) >= tonumber(ARGV[5]) then return {'FULL', 0} end
local version = redis.call('HINCRBY', KEYS[1], 'decks', 1)
redis.call('HSET', KEYS[2], ARGV[1], string.format('%d:', version) .. ARGV[3])
redis.call('HSET', KEYS[3], 'ask', ARGV[2], 'version', string.format('%d', version))
redis.call('PEXPIRE', KEYS[3], ARGV[4])
return {'OK', version}

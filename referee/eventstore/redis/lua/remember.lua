-- KEYS answer; ARGV ask answer ttl -> {ask, answer}: the first one stays
local kept = redis.call('HMGET', KEYS[1], 'ask', 'answer')
if kept[1] then return kept end
redis.call('HSET', KEYS[1], 'ask', ARGV[1], 'answer', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return {ARGV[1], ARGV[2]}

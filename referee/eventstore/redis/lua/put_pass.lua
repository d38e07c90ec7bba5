-- KEYS passes answer; ARGV seat ask record ttl -> {ask, record}: the first one under a key stays, and only it is put
local kept = redis.call('HMGET', KEYS[2], 'ask', 'record')
if kept[1] then return kept end
redis.call('HSET', KEYS[2], 'ask', ARGV[2], 'record', ARGV[3])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return {ARGV[2], ARGV[3]}

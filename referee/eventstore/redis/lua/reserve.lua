-- KEYS opened; ARGV match most ttl -> 1 if the match is noted, 0 if that many others are
local known = redis.call('SISMEMBER', KEYS[1], ARGV[1]) == 1
if not known and redis.call('SCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('SADD', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1

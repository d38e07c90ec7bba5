-- One hash per code, so that its parts expire as one: record, uses, and `k:<key>` for each use.
-- KEYS code; ARGV record uses ttl -> 1 if the code was free
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'record', ARGV[1], 'uses', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1

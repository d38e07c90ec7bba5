-- KEYS player; ARGV token record -> 1 if there was no such account
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'token', ARGV[1], 'record', ARGV[2])
return 1

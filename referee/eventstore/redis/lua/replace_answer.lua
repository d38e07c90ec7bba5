-- KEYS answer; ARGV answer -> 1 if there was one; how long it is kept stays
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'answer', ARGV[1])
return 1

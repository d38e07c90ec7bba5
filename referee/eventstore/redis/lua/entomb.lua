-- KEYS head archived; ARGV match version root frontier asked question edition -> 1 if there was no such match
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'v', ARGV[2], 'root', ARGV[3], 'frontier', ARGV[4], 'status', 'archived')
redis.call('HSET', KEYS[1], 'asked', ARGV[5], 'question', ARGV[6], 'edition', ARGV[7])
redis.call('ZADD', KEYS[2], ARGV[2], ARGV[1])
return 1

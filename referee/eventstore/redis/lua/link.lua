-- KEYS seats; ARGV version player -> who is linked: the first one stays
redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2])
return redis.call('HGET', KEYS[1], ARGV[1])

-- KEYS player matches; ARGV sitting note -> 1 if there is such an account
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSETNX', KEYS[2], ARGV[1], ARGV[2])
return 1

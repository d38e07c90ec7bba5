-- KEYS player -> 1 if there is such an account: the token with which it was made is good for nothing any more
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'token', '')
return 1

-- KEYS head -> 1 if it was frozen; it is then what it was before
if redis.call('HGET', KEYS[1], 'status') ~= 'frozen' then return 0 end
redis.call('HSET', KEYS[1], 'status', redis.call('HGET', KEYS[1], 'was') or 'open')
redis.call('HDEL', KEYS[1], 'was')
return 1

-- KEYS head -> 1 if there is such a match; an archived one takes no entries already
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
if redis.call('HGET', KEYS[1], 'status') ~= 'archived' then redis.call('HSET', KEYS[1], 'status', 'frozen') end
return 1

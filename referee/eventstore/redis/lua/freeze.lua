-- KEYS head -> 1 if there is such a match; an archived one takes no entries already
local status = redis.call('HGET', KEYS[1], 'status')
if not status then return 0 end
if status ~= 'archived' and status ~= 'frozen' then redis.call('HSET', KEYS[1], 'status', 'frozen', 'was', status) end
return 1

-- KEYS player matches decks items; ARGV known -> 1 if no more sittings are noted than are known: then all are gone
if redis.call('HLEN', KEYS[2]) > tonumber(ARGV[1]) then return 0 end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3], KEYS[4])
return 1

-- The lowest score of each sorted set in KEYS; false where one is empty. The sets may lie in several partitions: this
-- only reads, and only one server is asked.
local scores = {}
for key = 1, #KEYS do
  scores[key] = redis.call('ZRANGE', KEYS[key], 0, 0, 'WITHSCORES')[2] or false
end
return scores

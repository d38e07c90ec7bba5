-- The field `position` of each hash in KEYS. The hashes may lie in several partitions, as in first_scores.lua.
local positions = {}
for key = 1, #KEYS do
  positions[key] = redis.call('HGET', KEYS[key], 'position')
end
return positions

-- KEYS head leaves nodes ranks
-- ARGV group rank data was_size was_root size root frontier, then place and hash of each subtree that is complete now
-- -> {answer, index}. In `ranks`: group -> `<highest rank>:<index>`, and `<group>#<rank>` -> index.
local there = redis.call('HGET', KEYS[4], ARGV[1] .. '#' .. ARGV[2])
if there then
  local id = string.format('%d-0', tonumber(there) + 1)
  local found = redis.call('XRANGE', KEYS[2], id, id)
  if not found[1] then return {'FORK', -1} end
  if found[1][2][2] == ARGV[3] then return {'DUP', tonumber(there)} end
  return {'TAKEN', tonumber(there)}
end
local latest = redis.call('HGET', KEYS[4], ARGV[1])
if latest then
  local rank, index = string.match(latest, '^(%d+):(%d+)$')
  if tonumber(rank) > tonumber(ARGV[2]) then return {'STALE', tonumber(index)} end
end
local head = redis.call('HMGET', KEYS[1], 'size', 'root')
if (head[1] or '0') ~= ARGV[4] or (head[1] and head[2] ~= ARGV[5]) then return {'CONFLICT', -1} end
local size = tonumber(ARGV[4])
if redis.call('XLEN', KEYS[2]) ~= size then return {'FORK', -1} end

redis.call('XADD', KEYS[2], string.format('%d-0', size + 1), 'd', ARGV[3])
for i = 9, #ARGV, 2 do redis.call('HSET', KEYS[3], ARGV[i], ARGV[i + 1]) end
redis.call('HSET', KEYS[4], ARGV[1], ARGV[2] .. ':' .. ARGV[4], ARGV[1] .. '#' .. ARGV[2], ARGV[4])
redis.call('HSET', KEYS[1], 'size', ARGV[6], 'root', ARGV[7], 'frontier', ARGV[8])
return {'OK', size}

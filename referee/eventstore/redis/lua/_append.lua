-- KEYS log head keys due feed wake about
-- ARGV match version envelope sealed root frontier was_root key ask status asked_anew question edition thinking epoch
--      largest format partitions store
local version = tonumber(ARGV[2])
local head = redis.call('HMGET', KEYS[2], 'v', 'root', 'status', 'asked', 'asleep')
local at = tonumber(head[1] or '0')
local about = redis.call('HMGET', KEYS[7], 'position', 'epoch')
local position = tonumber(about[1] or '0')
local known = redis.call('HGET', KEYS[3], ARGV[8])
if known then
  local became, ask = string.match(known, '^(%d+):(.*)$')
  if ask == ARGV[9] then return {'DUP', tonumber(became), position, 0} end
  return {'REUSED', at, position, 0}
end
local status = head[3]
if status == 'over' or status == 'archived' then return {'GONE', at, position, 0} end
if status == 'moved' then return {'MOVED', at, position, 0} end
if status == 'frozen' then return {'FROZEN', at, position, 0} end
if version <= at then return {'CONFLICT', at, position, 0} end
if head[5] then return {'ASLEEP', at, position, 0} end
if version > at + 1 or (head[2] or '') ~= ARGV[7] or redis.call('XLEN', KEYS[1]) ~= at then
  if at > 0 then redis.call('HSET', KEYS[2], 'status', 'frozen') end
  return {'FORK', at, position, 0}
end
-- what the feed says must fit too, or the XADD below could fail and leave a torn commit; the match itself is right
if redis.call('XLEN', KEYS[5]) ~= position then return {'FORK', at, position, 0} end
if ARGV[15] ~= '' and ARGV[15] ~= (about[2] or '0') then return {'FENCED', at, position, 0} end
if string.len(ARGV[3]) + string.len(ARGV[4]) > tonumber(ARGV[16]) then return {'TOOBIG', at, position, 0} end

redis.call('XADD', KEYS[1], string.format('%d-0', version), 'e', ARGV[3], 'x', ARGV[4], 'r', ARGV[5])
redis.call('HSET', KEYS[2], 'v', ARGV[2], 'root', ARGV[5], 'frontier', ARGV[6], 'status', ARGV[10], 'edition', ARGV[13])
redis.call('HSET', KEYS[3], ARGV[8], ARGV[2] .. ':' .. ARGV[9])
if position == 0 then redis.call('HSET', KEYS[7], 'format', ARGV[17], 'partitions', ARGV[18], 'store', ARGV[19]) end
position = position + 1
redis.call('HSET', KEYS[7], 'position', string.format('%d', position))
redis.call('XADD', KEYS[5], string.format('%d-0', position), 'm', ARGV[1], 'v', ARGV[2])
if ARGV[11] == '1' then
  if head[4] then redis.call('ZREM', KEYS[4], ARGV[1] .. ':' .. head[4]) end
  redis.call('HSET', KEYS[2], 'asked', ARGV[2], 'question', ARGV[12])
  if ARGV[14] ~= '' then
    local time = redis.call('TIME')
    local due = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000) + tonumber(ARGV[14])
    redis.call('ZADD', KEYS[4], string.format('%d', due), ARGV[1] .. ':' .. ARGV[2])
  end
end
local wake = redis.call('SET', KEYS[6], '1', 'NX', 'PX', '5000')
return {'OK', version, position, wake and 1 or 0}

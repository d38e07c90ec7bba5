-- KEYS as for transfer_out.lua; ARGV as for _append.lua (19), then how many entries are here, their root, how many come along, each with
-- version, envelope, sealed part and root; then of grants, names, passes and keys how many, and each with its value
local function append()
  -- include _append.lua
end
local version, here = tonumber(ARGV[2]), tonumber(ARGV[20])
local head = redis.call('HMGET', KEYS[2], 'v', 'root', 'status')
local at = tonumber(head[1] or '0')
local known = redis.call('HGET', KEYS[3], ARGV[8])
if known then return append() end
if head[1] and head[3] ~= 'moved' then return {'CONFLICT', at, 0, 0} end
if at ~= here or (head[2] or '') ~= ARGV[21] then return {'CONFLICT', at, 0, 0} end
local position = tonumber(redis.call('HGET', KEYS[7], 'position') or '0')
if redis.call('XLEN', KEYS[1]) ~= at or redis.call('XLEN', KEYS[5]) ~= position then return {'FORK', at, 0, 0} end
if string.len(ARGV[3]) + string.len(ARGV[4]) > tonumber(ARGV[16]) then return {'TOOBIG', at, 0, 0} end

local count, from = tonumber(ARGV[22]), 23
for i = from, from + 4 * count - 1, 4 do
  redis.call('XADD', KEYS[1], ARGV[i] .. '-0', 'e', ARGV[i + 1], 'x', ARGV[i + 2], 'r', ARGV[i + 3])
end
redis.call('HSET', KEYS[2], 'v', string.format('%d', version - 1), 'root', ARGV[7], 'status', 'open')
local done = append()
from = from + 4 * count
redis.call('DEL', KEYS[8], KEYS[9], KEYS[10], KEYS[11])
for _, key in ipairs({9, 10, 11, 3}) do
  local many = tonumber(ARGV[from])
  for i = from + 1, from + 2 * many, 2 do redis.call('HSET', KEYS[key], ARGV[i], ARGV[i + 1]) end
  from = from + 1 + 2 * many
end
return done

"""The Lua of leaving and arriving, as text: each is the script that appends, and what belongs to it, in one act."""

from __future__ import annotations

# KEYS as to append, then luggage grants names passes; ARGV as to append (19), then packed, how many grants, names
# and passes there are, and each of them with its value
TRANSFER_OUT = """
local function append()
{append}
end
local at = 24
local function same(key, count)
  local from = at
  at = from + 2 * count
  for i = from, at - 2, 2 do
    if redis.call('HGET', KEYS[key], ARGV[i]) ~= ARGV[i + 1] then return false end
  end
  return true
end
local grants, names, passes = tonumber(ARGV[21]), tonumber(ARGV[22]), tonumber(ARGV[23])
local as_many = redis.call('HLEN', KEYS[9]) == grants and redis.call('HLEN', KEYS[10]) == names
as_many = as_many and redis.call('HLEN', KEYS[11]) == passes
if not (as_many and same(9, grants) and same(10, names) and same(11, passes)) then
  return {'CONFLICT', tonumber(redis.call('HGET', KEYS[2], 'v') or '0'), 0, 0}
end
local done = append()
if done[1] == 'OK' then redis.call('SET', KEYS[8], ARGV[20]) end
return done
"""

# KEYS as to depart; ARGV as to append (19), then how many entries are here, their root, how many come along, each with
# version, envelope, sealed part and root; then of grants, names, passes and keys how many, and each with its value
TRANSFER_IN = """
local function append()
{append}
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
"""


def build_transfer_scripts(append: str) -> dict[str, str]:
    """The scripts by name, around the one that appends."""
    return {"depart": TRANSFER_OUT.replace("{append}", append), "adopt": TRANSFER_IN.replace("{append}", append)}

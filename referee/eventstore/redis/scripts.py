"""The Lua that makes each act of the log whole, as text. Each answers with a word or a number, never with an error.

Only commands of Redis 6.2. All keys come in KEYS and share one hash tag; all checks come before the first write.
"""

from __future__ import annotations

from referee.eventstore.redis import deck_scripts, root_scripts, transfer_scripts

# KEYS log head keys due about snap grants passes; ARGV after count key grant match
# -> head fields, entries, known, due of this match, time, epoch, snapshot (if after is 0), grant, passes
READ = """
local head = redis.call('HGETALL', KEYS[2])
local entries = {}
if tonumber(ARGV[2]) ~= 0 then
  local from = '(' .. ARGV[1] .. '-0'
  if tonumber(ARGV[2]) < 0 then entries = redis.call('XRANGE', KEYS[1], from, '+')
  else entries = redis.call('XRANGE', KEYS[1], from, '+', 'COUNT', ARGV[2]) end
end
local known = false
if ARGV[3] ~= '' then known = redis.call('HGET', KEYS[3], ARGV[3]) end
local asked = redis.call('HGET', KEYS[2], 'asked')
local due = false
if asked then due = redis.call('ZSCORE', KEYS[4], ARGV[5] .. ':' .. asked) end
local time = redis.call('TIME')
local epoch = redis.call('HGET', KEYS[5], 'epoch')
local snap = {false, false, false}
if tonumber(ARGV[1]) == 0 then snap = redis.call('HMGET', KEYS[6], 'v', 'rules', 'body') end
local grant = false
if ARGV[4] ~= '' then grant = redis.call('HGET', KEYS[7], ARGV[4]) end
return {head, entries, known, due, time, epoch, snap, grant, redis.call('HGETALL', KEYS[8])}
"""

# KEYS log head keys due feed wake about
# ARGV match version envelope sealed root frontier was_root key ask status asked_anew question edition thinking epoch
#      largest format partitions store
APPEND = """
local version = tonumber(ARGV[2])
local head = redis.call('HMGET', KEYS[2], 'v', 'root', 'status', 'asked')
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
"""

# KEYS snap head; ARGV version rules body -> 1 if written: over a lower version or other rules, not beyond the log, and
# not of an archived match
SNAPSHOT = """
if redis.call('HGET', KEYS[2], 'status') == 'archived' then return 0 end
local head = tonumber(redis.call('HGET', KEYS[2], 'v') or '0')
local kept = redis.call('HMGET', KEYS[1], 'v', 'rules')
local version = tonumber(ARGV[1])
if version < 1 or version > head or (kept[2] == ARGV[2] and version <= tonumber(kept[1])) then return 0 end
redis.call('HSET', KEYS[1], 'v', ARGV[1], 'rules', ARGV[2], 'body', ARGV[3])
return 1
"""

# KEYS head -> 1 if there is such a match; an archived one takes no entries already
FREEZE = """
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
if redis.call('HGET', KEYS[1], 'status') ~= 'archived' then redis.call('HSET', KEYS[1], 'status', 'frozen') end
return 1
"""

# KEYS log head keys due snap passes visits archived; ARGV match version root -> a word, as `base.Answer`
# Never without the tombstone: a log that is merely deleted forgets its last id, and version 1 could come again.
ARCHIVE = """
local head = redis.call('HMGET', KEYS[2], 'v', 'root', 'status', 'asked')
if not head[1] then return 'CONFLICT' end
local same = tonumber(head[1]) == tonumber(ARGV[2])
if head[3] == 'archived' then
  if same and head[2] == ARGV[3] then return 'DUP' end
  return 'GONE'
end
if head[3] == 'frozen' then return 'FROZEN' end
if not same or head[3] == 'moved' then return 'CONFLICT' end
if head[2] ~= ARGV[3] or redis.call('XLEN', KEYS[1]) ~= tonumber(head[1]) then return 'FORK' end
redis.call('HSET', KEYS[2], 'status', 'archived')
redis.call('ZADD', KEYS[8], ARGV[2], ARGV[1])
if head[4] then redis.call('ZREM', KEYS[4], ARGV[1] .. ':' .. head[4]) end
redis.call('DEL', KEYS[1], KEYS[3], KEYS[5], KEYS[6], KEYS[7])
return 'OK'
"""

# KEYS head archived; ARGV match version root frontier asked question edition -> 1 if there was no such match
ENTOMB = """
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'v', ARGV[2], 'root', ARGV[3], 'frontier', ARGV[4], 'status', 'archived')
redis.call('HSET', KEYS[1], 'asked', ARGV[5], 'question', ARGV[6], 'edition', ARGV[7])
redis.call('ZADD', KEYS[2], ARGV[2], ARGV[1])
return 1
"""

# `written(at, count)` does the writes of a view that stand in ARGV from `at`: op, index of its key, field, value each;
# or, if one does not fit the kind of its key, nothing, and is false.
WRITES = """
local needs = {hset = 'hash', hdel = 'hash', zadd = 'zset', zrem = 'zset', del = 'none'}
local function written(at, count)
  local kinds = {}
  for i = at, at + (count - 1) * 4, 4 do
    local need, key = needs[ARGV[i]], tonumber(ARGV[i + 1])
    local kind = kinds[key] or redis.call('TYPE', KEYS[key]).ok
    if need ~= 'none' and kind ~= 'none' and kind ~= need then return false end
    kinds[key] = need
  end
  for i = at, at + (count - 1) * 4, 4 do
    local op, key, field, value = ARGV[i], KEYS[tonumber(ARGV[i + 1])], ARGV[i + 2], ARGV[i + 3]
    if op == 'hset' then redis.call('HSET', key, field, value)
    elseif op == 'hdel' then redis.call('HDEL', key, field)
    elseif op == 'zadd' then redis.call('ZADD', key, value, field)
    elseif op == 'zrem' then redis.call('ZREM', key, field)
    elseif op == 'del' then redis.call('DEL', key) end
  end
  return true
end
"""

# KEYS those of all views; ARGV how many views, then for each: index of its cursor, seen, cursor, count, its writes
# -> for each 1 applied, 0 the cursor has moved, -1 a write does not fit the kind of its key (and none was done)
APPLY_PROJECTIONS = f"""
{WRITES}
local at, done = 2, {{}}
for view = 1, tonumber(ARGV[1]) do
  local cursor, count = KEYS[tonumber(ARGV[at])], tonumber(ARGV[at + 3])
  if (redis.call('GET', cursor) or '0') ~= ARGV[at + 1] then done[view] = 0
  elseif not written(at + 4, count) then done[view] = -1
  else
    redis.call('SET', cursor, ARGV[at + 2])
    done[view] = 1
  end
  at = at + 4 + count * 4
end
return done
"""

# KEYS guard view...; ARGV field, what it is to hold ('=' and the bytes; empty: nothing), count, then the writes
# -> 1 applied, 0 the field holds something else, -1 as above, also where the guard is no hash
AMEND_PROJECTION = f"""
{WRITES}
local kind = redis.call('TYPE', KEYS[1]).ok
if kind ~= 'none' and kind ~= 'hash' then return -1 end
local held = redis.call('HGET', KEYS[1], ARGV[1])
if (held and '=' .. held or '') ~= ARGV[2] then return 0 end
return written(4, tonumber(ARGV[3])) and 1 or -1
"""

# KEYS due about; ARGV run grace -> deadlines moved, once per run of the server
EXTEND_OVERDUE_DEADLINES = """
if redis.call('HGET', KEYS[2], 'run') == ARGV[1] then return 0 end
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local late = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', string.format('%d', now))
for _, due in ipairs(late) do redis.call('ZADD', KEYS[1], string.format('%d', now + tonumber(ARGV[2])), due) end
redis.call('HSET', KEYS[2], 'run', ARGV[1])
return #late
"""

# One hash per code, so that its parts expire as one: record, uses, and `k:<key>` for each use.
# KEYS code; ARGV record uses ttl -> 1 if the code was free
INVITE = """
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'record', ARGV[1], 'uses', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
"""

# KEYS code -> {record, uses left}
INVITED = """
local kept = redis.call('HMGET', KEYS[1], 'record', 'uses')
if not kept[1] then return false end
return {kept[1], tonumber(kept[2]) - (redis.call('HLEN', KEYS[1]) - 2)}
"""

# KEYS code; ARGV key -> {record, 1 if this key came first now}; nothing where the code is unknown or used up
REDEEM = """
local kept = redis.call('HMGET', KEYS[1], 'record', 'uses', 'k:' .. ARGV[1])
if not kept[1] then return false end
if kept[3] then return {kept[1], 0} end
if redis.call('HLEN', KEYS[1]) - 2 >= tonumber(kept[2]) then return false end
redis.call('HSET', KEYS[1], 'k:' .. ARGV[1], '1')
return {kept[1], 1}
"""

# KEYS answer; ARGV ask answer ttl -> {ask, answer}: the first one stays
REMEMBER = """
local kept = redis.call('HMGET', KEYS[1], 'ask', 'answer')
if kept[1] then return kept end
redis.call('HSET', KEYS[1], 'ask', ARGV[1], 'answer', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return {ARGV[1], ARGV[2]}
"""

# KEYS passes answer; ARGV seat ask record ttl -> {ask, record}: the first one under a key stays, and only it is put
PUT_STANDING = """
local kept = redis.call('HMGET', KEYS[2], 'ask', 'record')
if kept[1] then return kept end
redis.call('HSET', KEYS[2], 'ask', ARGV[2], 'record', ARGV[3])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return {ARGV[2], ARGV[3]}
"""

# KEYS visits notes about; ARGV match seat visit ttl most -> 1 if a seat came or went
# A visit that has run out counts as one that was there: nobody has been told that it is not.
ATTEND = """
local seats = function()
  local found, many = {}, 0
  for _, visit in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
    local seat = string.match(visit, '^(%d+):')
    if not found[seat] then many = many + 1 end
    found[seat] = true
  end
  return found, many
end
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local visit, ttl = ARGV[2] .. ':' .. ARGV[3], tonumber(ARGV[4])
local before, were = seats()
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%d', now))
if ttl > 0 then
  redis.call('ZADD', KEYS[1], string.format('%d', now + ttl), visit)
  if redis.call('PTTL', KEYS[1]) < 2 * ttl then redis.call('PEXPIRE', KEYS[1], string.format('%d', 2 * ttl)) end
else redis.call('ZREM', KEYS[1], visit) end
local after, are = seats()
local changed = were ~= are
for seat in pairs(after) do changed = changed or not before[seat] end
if not changed then return 0 end
local note = redis.call('HINCRBY', KEYS[3], 'notes', 1)
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[5], string.format('%d-0', note), 'm', ARGV[1])
return 1
"""

# KEYS visits -> those that have not run out
ATTENDING = """
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
return redis.call('ZRANGEBYSCORE', KEYS[1], string.format('(%d', now), '+inf')
"""

# KEYS player; ARGV token record -> 1 if there was no such account
MAKE_PLAYER = """
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'token', ARGV[1], 'record', ARGV[2])
return 1
"""

# KEYS player; ARGV record -> 1 if there is such an account
CHANGE_PLAYER = """
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'record', ARGV[1])
return 1
"""

# KEYS player matches; ARGV sitting note -> 1 if there is such an account
ENLIST = """
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSETNX', KEYS[2], ARGV[1], ARGV[2])
return 1
"""

# KEYS player matches decks; ARGV known -> 1 if no more sittings are noted than are known: then all are gone
DROP_PLAYER = """
if redis.call('HLEN', KEYS[2]) > tonumber(ARGV[1]) then return 0 end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
return 1
"""

# KEYS seats; ARGV version player -> who is linked: the first one stays
LINK = """
redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2])
return redis.call('HGET', KEYS[1], ARGV[1])
"""

ALL = {
    "read": READ,
    "append": APPEND,
    "snapshot": SNAPSHOT,
    "freeze": FREEZE,
    "archive": ARCHIVE,
    "entomb": ENTOMB,
    "lead": APPLY_PROJECTIONS,
    "amend": AMEND_PROJECTION,
    "grace": EXTEND_OVERDUE_DEADLINES,
    "invite": INVITE,
    "invited": INVITED,
    "redeem": REDEEM,
    "remember": REMEMBER,
    "put_pass": PUT_STANDING,
    "attend": ATTEND,
    "attending": ATTENDING,
    "make_player": MAKE_PLAYER,
    "change_player": CHANGE_PLAYER,
    "enlist": ENLIST,
    "drop_player": DROP_PLAYER,
    "link": LINK,
    **transfer_scripts.build_transfer_scripts(APPEND),
    **deck_scripts.ALL,
    **root_scripts.ALL,
}

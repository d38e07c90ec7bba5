-- KEYS those of all views; ARGV how many views, then for each: index of its cursor, seen, cursor, count, its writes
-- -> for each 1 applied, 0 the cursor has moved, -1 a write does not fit the kind of its key (and none was done)
-- include _write.lua
local at, done = 2, {}
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

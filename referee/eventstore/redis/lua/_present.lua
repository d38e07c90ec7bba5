-- from which score on a visit has not run out at `time`
local function from(time)
  return string.format('(%d', tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000))
end

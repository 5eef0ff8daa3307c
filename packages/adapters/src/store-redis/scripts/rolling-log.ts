/**
 * Part of other scripts: the log of a rolling window, a sorted set whose members and scores are decimal nanoseconds
 * (docs/reference/redis-counters.md#rate-limit-counters). Nanoseconds are concatenated as text, because a Lua number cannot
 * represent them. Requests of the same microsecond differ in the last three digits, which are counted up.
 *
 * The window starts in the middle of a microsecond, so that all entries of one microsecond leave it together: a score is
 * a double and keeps only some of the last digits.
 *
 * Nodes of the original gateway keep every rejected request. Only the newest entries influence a decision, so this log is
 * trimmed to `kept` entries. The memory is bounded, and the decisions are the same.
 */
export const rollingLog = `
local seconds, micros
local nanos = 0

-- Reads the time of Redis, once per call: all decisions of the call use the same time.
local function lookAtTime()
  local time = redis.call('TIME')
  seconds, micros = tonumber(time[1]), tonumber(time[2])
end

local function stamp()
  local us = micros + math.floor(nanos / 1000)
  return string.format('%d%06d%03d', seconds + math.floor(us / 1000000), us % 1000000, nanos % 1000)
end

-- Returns the number of requests in the window. Sets the time, so every script calls it before noteLog and opensIn.
local function countLog(key, per)
  if not seconds then lookAtTime() end
  local from = string.format('%d%06d500', seconds - per, micros)
  return redis.call('ZCOUNT', key, '(' .. from, '+inf')
end

-- Removes entries that have left the window and adds "amount" entries.
local function noteLog(key, per, amount, kept)
  redis.call('ZREMRANGEBYSCORE', key, '-inf', string.format('%d%06d500', seconds - per, micros))
  for i = 1, math.min(amount, kept) do
    local added
    repeat
      local at = stamp()
      added = redis.call('ZADD', key, 'NX', at, at)
      nanos = nanos + 1
    until added == 1
  end
  redis.call('ZREMRANGEBYRANK', key, 0, -(kept + 1))
  redis.call('EXPIRE', key, per)
end

-- Returns the ms until the nth newest entry leaves the window; a whole window if there is no such entry.
local function opensIn(key, per, nth)
  if nth >= 1 then
    local at = redis.call('ZRANGE', key, -nth, -nth)[1]
    local ms = at and tonumber(string.sub(at, 1, -7))
    if ms then return math.max(0, ms + per * 1000 - (seconds * 1000 + math.floor(micros / 1000))) end
  end
  return per * 1000
end

-- Adds "amount" requests after "before" ones. Returns whether they are allowed (1 or 0), and ms until resetAt.
local function consumeLog(key, per, before, amount, limit, kept)
  if amount > 0 then noteLog(key, per, amount, kept) end
  local wanted = math.max(amount, 1)
  if before + wanted <= limit then return 1, per * 1000 end
  return 0, opensIn(key, per, limit - wanted + 1)
end

-- The same for the sentinel: the request that reaches the limit is allowed and sets the flag, which blocks later ones.
local function consumeSentinel(key, flag, per, before, amount, limit, kept)
  local marked = redis.call('PTTL', flag)
  if amount > 0 then
    noteLog(key, per, amount, kept)
    if marked <= 0 and before + amount >= limit then
      redis.call('SET', flag, '1', 'EX', per)
      return 1, per * 1000
    end
  end
  return marked <= 0 and 1 or 0, math.max(marked, 0)
end
`

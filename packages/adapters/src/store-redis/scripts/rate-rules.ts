/**
 * Part of other scripts: the rules by which a rate is taken (docs/reference/redis-counters.md#rate-limit-counters), as a Lua function `takeRate(k, a)`
 * over KEYS from `k` on, as many as `keysOfRate(a)` says, and over five ARGV from `a` on:
 *
 *     rolling   keys: log                  rule, amount, per, limit, kept
 *     sentinel  keys: log, mark            rule, amount, per, most, kept
 *     fixed     keys: window               rule, amount, limit, end of the window, its length
 *
 * It returns whether the request is allowed (1 or 0), requests that were counted before, and ms until it opens.
 *
 * The name of a fixed window holds its start, so it is worked out before Redis is asked, by what the node takes for the
 * time of Redis. At an edge nodes may differ in it. So the time of Redis is looked at again: where another window is
 * on, nothing is counted, and -1, 0 and that time in ms are returned. With a length of 0 it counts all the same.
 */
export const rateRules = `
local function keysOfRate(a) return ARGV[a] == 'sentinel' and 2 or 1 end

local function takeRate(k, a)
  local rule = ARGV[a]
  local amount = tonumber(ARGV[a + 1])
  local wanted = math.max(amount, 1)

  if rule == 'fixed' then
    local limit = tonumber(ARGV[a + 2])
    local ends, length = tonumber(ARGV[a + 3]), tonumber(ARGV[a + 4])
    if not seconds then lookAtTime() end
    local now = seconds * 1000 + math.floor(micros / 1000)
    local left = ends - now
    if length > 0 and (left <= 0 or left > length) then return -1, 0, now end
    left = math.max(left, 1)
    local before = tonumber(redis.call('GET', KEYS[k]) or '0')
    if amount > 0 then
      before = redis.call('INCRBY', KEYS[k], amount) - amount
      redis.call('PEXPIRE', KEYS[k], left)
    end
    return before + wanted <= limit and 1 or 0, before, left
  end

  local per = tonumber(ARGV[a + 2])
  local limit = tonumber(ARGV[a + 3])
  local kept = tonumber(ARGV[a + 4])
  local before = countLog(KEYS[k], per)
  if rule == 'sentinel' then
    local marked = redis.call('PTTL', KEYS[k + 1])
    if amount > 0 then
      noteLog(KEYS[k], per, amount, kept)
      if marked <= 0 and before + amount >= limit then
        redis.call('SET', KEYS[k + 1], '1', 'EX', per)
        return 1, before, per * 1000
      end
    end
    return marked <= 0 and 1 or 0, before, math.max(marked, 0)
  end

  if amount > 0 then noteLog(KEYS[k], per, amount, kept) end
  if before + wanted <= limit then return 1, before, per * 1000 end
  return 0, before, opensIn(KEYS[k], per, limit - wanted + 1)
end
`

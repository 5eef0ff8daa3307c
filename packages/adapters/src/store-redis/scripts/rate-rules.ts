/**
 * Part of the script `decide.ts`: counts against a rate (docs/reference/redis-counters.md#rate-limit-counters), by the
 * rules of `fixed-window.ts`, `rolling-log.ts` and `sentinel.ts` in packages/core/src/rate-limit, which stores without
 * Redis use; change both together. It is the Lua function `consumeRate(k, a)`, which uses KEYS from `k` on
 * (`keysOfRate(a)` returns how many) and five ARGV from `a` on:
 *
 *     rolling   keys: log                  rule, amount, per in s, limit, entries kept
 *     sentinel  keys: log, blocked flag    rule, amount, per in s, limit, entries kept
 *     fixed     keys: window               rule, amount, limit, end of the window in ms, its length in ms
 *
 * Needs `rolling-log.ts` of this folder, which decides about `rolling` and `sentinel`; smoothed rates have a script of
 * their own, `consume-smoothed.ts`.
 *
 * It returns whether the request is allowed (1 or 0; -1: another window is current), the number of requests counted
 * before, and the ms until `resetAt`. The caller ignores the ms of a rolling rate that has requests left.
 *
 * The name of a fixed window contains its start, so the node computes it before the call, from the estimated time of
 * Redis. The script compares it with the actual time: if another window is current, nothing is counted, and -1, 0 and
 * the time in ms are returned. With a length of 0 the script counts in any case.
 */
export const rateRules = `
local function keysOfRate(a) return ARGV[a] == 'sentinel' and 2 or 1 end

local function consumeRate(k, a)
  local rule = ARGV[a]
  local amount = tonumber(ARGV[a + 1])

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
    return before + math.max(amount, 1) <= limit and 1 or 0, before, left
  end

  local per = tonumber(ARGV[a + 2])
  local limit = tonumber(ARGV[a + 3])
  local kept = tonumber(ARGV[a + 4])
  local before = countLog(KEYS[k], per)
  local allowed, opens
  if rule == 'sentinel' then
    allowed, opens = consumeSentinel(KEYS[k], KEYS[k + 1], per, before, amount, limit, kept)
  else
    allowed, opens = consumeLog(KEYS[k], per, before, amount, limit, kept)
  end
  return allowed, before, opens
end
`

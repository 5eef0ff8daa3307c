/**
 * Counts against a smoothed rate (docs/reference/redis-counters.md#rate-limit-counters), by the rule of
 * `core/src/rate-limit/smoothing.ts`, and then against the quota, if there is one and the rate allows the request.
 * KEYS: log, allowance, the blocked flag for the sentinel, and counter and lock of the quota; all must be in the same hash
 * slot. ARGV: amount, per, rate, threshold, trigger, step, delay, 1 for one request fewer, kept, the current time and
 * the time after the delay as RFC 3339 in UTC, 1 for the sentinel, and the renewal of the quota in seconds, or nothing.
 * Reply: allowed, number of requests counted before, ms until `resetAt`, the allowance, 1, -1 or 0 for its change, and the
 * two numbers of `consumeQuota` in quota-fragment.ts.
 *
 * Nodes of the original gateway cache the allowance; here every request reads it, so that all nodes use the same one.
 * Times are compared as texts without the final Z; a time in another zone counts as past.
 */
import { quotaRule } from './quota-fragment.ts'
import { rollingLog } from './rolling-log.ts'
import { makeScript } from './script.ts'

export const consumeSmoothedScript = makeScript(
  rollingLog,
  quotaRule,
  `
local amount, per, rate = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local threshold, trigger = tonumber(ARGV[4]), tonumber(ARGV[5])
local step, delay, fewer, kept = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])
local now, nextTime = ARGV[10], ARGV[11]
local isSentinel, renewal = ARGV[12] == '1', tonumber(ARGV[13] or '')
local before = countLog(KEYS[1], per)

local function keep(allowance)
  redis.call('HSET', KEYS[2], 'delay', delay, 'current', allowance, 'nextUpdateAt', nextTime)
end

local function isDue(at)
  if not at or string.sub(at, -1) ~= 'Z' then return true end
  return string.sub(now, 1, -2) >= string.sub(at, 1, -2)
end

local held = redis.call('HMGET', KEYS[2], 'current', 'nextUpdateAt')
local current = tonumber(held[1] or '')
local moved = 0
if not current then
  current = math.min(threshold, rate)
  if amount > 0 then keep(current) end
elseif amount > 0 and isDue(held[2]) then
  local margin = trigger * step
  local to = current
  if before >= current - margin then to = math.min(rate, current + step)
  elseif before <= current - step - margin then to = math.max(math.min(threshold, rate), current - step) end
  if to ~= current then
    moved = to > current and 1 or -1
    current = to
    keep(current)
  end
end
-- An allowance that stays the same under a constant load must not expire.
if amount > 0 then redis.call('EXPIRE', KEYS[2], math.max(1, math.ceil(2 * delay))) end

local allowance = math.floor(math.min(rate, current))
local allowed, opens
if isSentinel then
  allowed, opens = consumeSentinel(KEYS[1], KEYS[3], per, before, amount, allowance, kept)
else
  allowed, opens = consumeLog(KEYS[1], per, before, amount, allowance - fewer, kept)
end
local count, left = 0, 0
if allowed == 1 and renewal then
  local counter = isSentinel and 4 or 3
  count, left = consumeQuota(KEYS[counter], KEYS[counter + 1], amount, renewal, false)
end
return {allowed, before, opens, allowance, moved, count, left}
`,
)

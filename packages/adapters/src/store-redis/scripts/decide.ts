/**
 * Makes the decisions of one event loop iteration in sequence, in one call. Decisions are independent: if one fails, the
 * others are made.
 *
 * KEYS and ARGV are those of the first decision, then those of the next one. The ARGV of a decision start with its kind:
 *
 *     quota               KEYS: counter, lock         amount, renewal in seconds, 1 to count despite the lock
 *     quota-without-lock  KEYS: counter               the same; for clusters, where the lock is on another node
 *     rate                KEYS: those of the rate     those of `consumeRate` in rate-rules.ts
 *     both                KEYS: those of the rate,    those of `consumeRate`, renewal in seconds
 *                         then counter and lock
 *
 * KEYS of different decisions can be in different hash slots, so in a cluster a call has one decision. Without hash tags the
 * same is true of rate and quota, of the two keys of the sentinel, and of a quota and its lock.
 *
 * Reply: a text with five lines per decision: the three numbers of `consumeRate`, then the count of the quota (-1: locked by
 * another node, retry) and the remaining ms of its period (-1: no end). Numbers that do not belong to the kind are 0;
 * `both` counts against the quota only if the rate allows the request. If a decision failed, its first line is the error of
 * Redis, or `no number`. Parsing one text costs a tenth of parsing a list of numbers.
 */
import { quotaRule } from './quota-fragment.ts'
import { rateRules } from './rate-rules.ts'
import { rollingLog } from './rolling-log.ts'
import { makeScript } from './script.ts'

export const decide = makeScript(
  rollingLog,
  rateRules,
  quotaRule,
  `
local function quota(k, a)
  return 0, 0, 0, consumeQuota(KEYS[k], KEYS[k + 1], tonumber(ARGV[a]), tonumber(ARGV[a + 1]), ARGV[a + 2] == '1')
end

local function quotaWithoutLock(k, a)
  return 0, 0, 0, consumeQuota(KEYS[k], nil, tonumber(ARGV[a]), tonumber(ARGV[a + 1]), true)
end

local function rate(k, a)
  local allowed, before, opens = consumeRate(k, a)
  return allowed, before, opens, 0, 0
end

local function both(k, a)
  local allowed, before, opens = consumeRate(k, a)
  if allowed ~= 1 then return allowed, before, opens, 0, 0 end
  local counter = k + keysOfRate(a)
  return allowed, before, opens, consumeQuota(KEYS[counter], KEYS[counter + 1], tonumber(ARGV[a + 1]), tonumber(ARGV[a + 5]), false)
end

local reply, n = {}, 0
local k, a = 1, 1
while ARGV[a] do
  local kind = ARGV[a]
  local ask, keys, args
  if kind == 'quota' then ask, keys, args = quota, 2, 3
  elseif kind == 'both' then ask, keys, args = both, keysOfRate(a + 1) + 2, 6
  elseif kind == 'rate' then ask, keys, args = rate, keysOfRate(a + 1), 5
  else ask, keys, args = quotaWithoutLock, 1, 3 end
  local made, first, second, third, count, left = pcall(ask, k, a + 1)
  if not made then
    first = string.gsub(type(first) == 'table' and first.err or tostring(first), '%c', ' ')
    second, third, count, left = 0, 0, 0, 0
  elseif not (first and second and third and count and left) then
    first, second, third, count, left = 'no number', 0, 0, 0, 0
  end
  reply[n + 1], reply[n + 2], reply[n + 3], reply[n + 4], reply[n + 5] = first, second, third, count, left
  n = n + 5
  k = k + keys
  a = a + 1 + args
end
return table.concat(reply, '\\n')
`,
)

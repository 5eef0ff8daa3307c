/**
 * Part of the scripts of `decide.ts` and `consume-smoothed.ts`: counts against a quota (docs/reference/redis-counters.md#quota-counters), by the same rule as
 * packages/core/src/quota/decide-quota.ts for stores without Redis; change both together. It is the Lua function
 * `consumeQuota(key, lock, amount, renewal, insists)`, which returns the count and the remaining ms of the period (-1: it has
 * no end). `lock` can be nil. Amount 0 reads without counting.
 *
 * Redis removes a key after the last millisecond of its lifetime; the quota period ends at the start of that millisecond.
 *
 * The script is atomic and needs no lock to start a period. But a node of the original gateway that holds the lock is
 * about to set the counter to 0, which would lose this count. The count is then -1, and the caller retries until it sets
 * `insists`.
 */
export const quotaRule = `
local function consumeQuota(key, lock, amount, renewal, insists)
  local left = redis.call('PTTL', key)
  if amount == 0 then
    if left == 0 or left < 0 and (renewal > 0 or left == -2) then return 0, -1 end
    return tonumber(redis.call('GET', key)), left
  end
  if left > 0 then return redis.call('INCRBY', key, amount), left end
  if left == 0 then redis.call('DEL', key) end
  if renewal <= 0 then return redis.call('INCRBY', key, amount), -1 end
  if lock and not insists and redis.call('EXISTS', lock) == 1 then return -1, -1 end
  redis.call('SET', key, amount, 'EX', renewal)
  return amount, renewal * 1000
end
`

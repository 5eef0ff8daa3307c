/**
 * Part of other scripts: counting against a quota (docs/reference/redis-counters.md#quota-counters), as the Lua function
 * `spendQuota(key, lock, amount, renewal, insists)`. It returns the count and what is left of the period in ms, -1
 * where it has no end. Amount 0 only looks.
 *
 * Redis forgets a key when the millisecond is over in which its lifetime ends; a period is over when that begins.
 *
 * Being one step it needs no lock to begin a period. But an existing node that holds the lock sets the counter to 0 in
 * a moment, and would forget what is counted now: then the count is -1 and the caller asks again, until it insists.
 */
export const quotaRule = `
local function spendQuota(key, lock, amount, renewal, insists)
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

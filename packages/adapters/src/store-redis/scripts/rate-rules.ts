/**
 * Part of other scripts: the rules by which a rate is taken (spec/redis-layout.md 6), as one Lua function,
 * `takeRate(keys, first)`, over KEYS and over ARGV from `first` on:
 *
 *     rolling   keys: log                  rule, amount, per, limit, kept
 *     sentinel  keys: log, mark            rule, amount, per, most, kept
 *     fixed     keys: window               rule, amount, limit, ms to the window's end
 *
 * It returns whether the request is allowed (1 or 0), requests that were counted before, and ms until it opens.
 */
export const rateRules = `
local function takeRate(keys, first)
  local rule = ARGV[first]
  local amount = tonumber(ARGV[first + 1])
  local wanted = math.max(amount, 1)

  if rule == 'fixed' then
    local limit = tonumber(ARGV[first + 2])
    local left = tonumber(ARGV[first + 3])
    local before = tonumber(redis.call('GET', keys[1]) or '0')
    if amount > 0 then
      before = redis.call('INCRBY', keys[1], amount) - amount
      redis.call('PEXPIRE', keys[1], left)
    end
    return before + wanted <= limit and 1 or 0, before, left
  end

  local per = tonumber(ARGV[first + 2])
  local limit = tonumber(ARGV[first + 3])
  local kept = tonumber(ARGV[first + 4])
  local before = countLog(keys[1], per)
  if rule == 'sentinel' then
    local marked = redis.call('PTTL', keys[2])
    if amount > 0 then
      noteLog(keys[1], per, amount, kept)
      if marked <= 0 and before + amount >= limit then
        redis.call('SET', keys[2], '1', 'EX', per)
        return 1, before, per * 1000
      end
    end
    return marked <= 0 and 1 or 0, before, math.max(marked, 0)
  end

  if amount > 0 then noteLog(keys[1], per, amount, kept) end
  if before + wanted <= limit then return 1, before, per * 1000 end
  return 0, before, opensIn(keys[1], per, limit - wanted + 1)
end
`

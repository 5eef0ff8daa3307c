/**
 * Asks a rate and, only where it allows, counts one request against a quota. KEYS: those of the rate, then the quota's
 * counter and its lock; all must lie together. ARGV: number of the rate's keys, renewal in seconds, then those of the
 * rate. Reply: the rate's three numbers; where it allowed, count and ms left as in spend-quota.ts after them.
 */
import { quotaRule } from './quota-rule.ts'
import { rateRules } from './rate-rules.ts'
import { rollingLog } from './rolling-log.ts'
import { makeScript } from './script.ts'

export const takeThenSpend = makeScript(
  rollingLog,
  rateRules,
  quotaRule,
  `
local rates = tonumber(ARGV[1])
local allowed, before, opens = takeRate(KEYS, 3)
if allowed == 0 then return {allowed, before, opens} end
return {allowed, before, opens, spendQuota(KEYS[rates + 1], KEYS[rates + 2], 1, tonumber(ARGV[2]), false)}
`,
)

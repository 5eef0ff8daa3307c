/**
 * Counts against a quota. KEYS: counter, and its lock where the lock may be looked at. ARGV: amount, renewal in
 * seconds, 1 to insist. Reply: count (-1: locked by another node, ask again), ms left (-1: no end).
 */
import { quotaRule } from './quota-rule.ts'
import { makeScript } from './script.ts'

export const spendQuota = makeScript(
  quotaRule,
  "return {spendQuota(KEYS[1], KEYS[2], tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3] == '1')}",
)

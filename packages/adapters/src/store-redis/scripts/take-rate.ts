/**
 * Asks a rate. Keys and arguments: those of `takeRate` in rate-rules.ts, and no others; the two keys of the sentinel
 * must lie together. Reply: allowed (1 or 0), requests counted before, ms until it opens.
 */
import { rateRules } from './rate-rules.ts'
import { rollingLog } from './rolling-log.ts'
import { makeScript } from './script.ts'

export const takeRate = makeScript(rollingLog, rateRules, 'return {takeRate(KEYS, 1)}')

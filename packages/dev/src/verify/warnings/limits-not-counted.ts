/** Finds limits of a key on an API that does not count limits of that kind. */
import type { Warning } from '../warning.ts'
import { limitWords } from '../words.ts'
import { type Facts, grants } from './facts.ts'

export function limitsNotCounted(facts: Facts): Warning[] {
  return grants(facts).flatMap(({ plan, api, limits: { rate, quota } }) => {
    const found: Warning[] = []
    const add = (sentence: string, fix: string) =>
      found.push({ kind: 'limit-not-counted', source: api.source, sentence, fix })
    const { disableRateLimit, disableQuota } = api.document
    if (api.authModes.length === 0) {
      if (rate === undefined && quota === undefined) return []
      add(
        `${plan.words} limits "${api.id}", but "${api.id}" asks nobody for a key, so that the limit counts for nobody`,
        'take use_keyless off the API, or limit all its callers by global_rate_limit',
      )
      return found
    }
    if (rate !== undefined && disableRateLimit) {
      add(
        `${plan.words} says at most ${limitWords(rate.count, rate.seconds)} on "${api.id}", but "${api.id}" counts no rates: its definition says disable_rate_limit`,
        'take disable_rate_limit off the API',
      )
    }
    if (quota !== undefined && disableQuota) {
      add(
        `${plan.words} says at most ${limitWords(quota.count, quota.seconds)} on "${api.id}", but "${api.id}" counts no quotas: its definition says disable_quota`,
        'take disable_quota off the API',
      )
    }
    return found
  })
}

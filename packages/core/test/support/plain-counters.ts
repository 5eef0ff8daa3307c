/** Test counters with only a rate limit or only a quota. */
import type { QuotaLimit } from '../../src/ports/quota.ts'
import type { RateLimit } from '../../src/ports/rate-limit.ts'
import { type Counter, type CounterId, counterKey } from '../../src/ports/store.ts'

/** The plain counter of a key. */
export function plainCounter(subject: string, scope = ''): CounterId {
  return { subject, kind: 'key', scope, endpoint: '' }
}

export function rateCounter(subject: string, rate: RateLimit): Counter {
  const id = plainCounter(subject)
  return { ...id, id: counterKey(id), generation: '', rate, quota: undefined }
}

export function quotaCounter(subject: string, quota: QuotaLimit, scope = ''): Counter {
  const id = plainCounter(subject, scope)
  return { ...id, id: counterKey(id), generation: '', rate: undefined, quota }
}

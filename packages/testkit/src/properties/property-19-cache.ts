/**
 * Property 19. Every response of the upstream is unique and contains its request, so that a response that occurs twice came
 * from the cache. The property checks the log of all requests. Source: docs/reference/response-cache.md#response-cache.
 */
import type { Millis } from '@turnpike/core/lib'
import { type CacheCase, type CacheRequest, cacheCases, showCacheCase } from './cache-cases.ts'
import { makeProperty } from './property.ts'
import type { CachedBody, CacheSubject, CacheUnderTest } from './subjects/cache-subject.ts'

export const cacheProperty = makeProperty<CacheSubject, CacheCase>({
  number: 19,
  isExpensive: true,
  name: 'cached responses',
  statement:
    'Two requests with equal cache keys get equal bodies until the timeout; no request gets a response to a request for another API, another key if the cache is per key, or one from before an acknowledged invalidation.',
  cases: cacheCases,
  requestsOf: ({ steps }) => steps.filter(({ kind }) => kind === 'request').length,
  show: showCacheCase,
  async check(subject, propertyCase) {
    const log = await runCase(await subject.make(), propertyCase)
    for (const logged of log.requests) {
      const wrong =
        wrongResponse(logged, subject) ?? invalidatedResponse(logged, log) ?? wrongCaching(logged, log, subject)
      if (wrong !== undefined) return `step ${logged.step}: ${wrong}`
    }
    return undefined
  },
})

interface LoggedRequest {
  readonly step: number
  readonly request: CacheRequest
  readonly startedAt: Millis
  endedAt: Millis
  /** The first step after the end of the response. */
  endedBefore: number
  body: CachedBody
}

interface LoggedInvalidation {
  readonly step: number
  readonly api: string
  /** Number of responses that the upstream had started before the invalidation. */
  readonly startedBefore: number
}

interface CacheLog {
  readonly requests: readonly LoggedRequest[]
  readonly invalidations: readonly LoggedInvalidation[]
}

async function runCase(underTest: CacheUnderTest, { steps }: CacheCase): Promise<CacheLog> {
  const requests: LoggedRequest[] = []
  const invalidations: LoggedInvalidation[] = []
  const pending: Promise<void>[] = []
  let at = 0
  for (const step of steps) {
    if (step.kind === 'invalidate') {
      const startedBefore = underTest.startedResponses()
      await underTest.invalidate(step.api)
      invalidations.push({ step: at, api: step.api, startedBefore })
    } else if (step.kind === 'request') {
      const entry = { step: at, request: step, startedAt: underTest.now() } as LoggedRequest
      const done = underTest.send(step).then((body) => {
        Object.assign(entry, { body, endedAt: underTest.now(), endedBefore: at + 1 })
      })
      requests.push(entry)
      pending.push(done)
      await underTest.wait(0)
    } else await underTest.wait(step.ms)
    at += 1
  }
  await Promise.all([underTest.wait(10_000), ...pending])
  return { requests, invalidations }
}

function wrongResponse({ request, body }: LoggedRequest, { isPerKey }: CacheSubject): string | undefined {
  if (body.api !== request.api) return `${request.api} returned a response of ${body.api}`
  if (body.path !== request.path) return `${request.path} got a response for ${body.path}`
  if (body.lang !== request.lang) return `${request.lang} got a response for ${body.lang}`
  if (isPerKey && body.key !== request.key) return `${request.key} got a response for ${body.key}`
  return undefined
}

function invalidatedResponse({ step, request, body }: LoggedRequest, { invalidations }: CacheLog): string | undefined {
  const later = invalidations.find(
    (one) => one.api === request.api && one.step < step && body.index < one.startedBefore,
  )
  return later === undefined
    ? undefined
    : `response ${body.index} is returned although step ${later.step} invalidated it`
}

/** Checks whether the use of the cache was correct. */
function wrongCaching(logged: LoggedRequest, log: CacheLog, subject: CacheSubject): string | undefined {
  const { body, startedAt, step } = logged
  const first = log.requests.find((one) => one.body.index === body.index) as LoggedRequest
  const before = log.requests.filter(
    (one) => hasSameCacheKey(one.request, logged.request, subject) && one.endedBefore <= step,
  )
  if (first !== logged) {
    if (startedAt >= first.endedAt + subject.maxLifetimeMs)
      return `response ${body.index} is returned after its lifetime`
    const last = before.at(-1)
    const changed = log.requests.some(
      (one) =>
        hasSameCacheKey(one.request, logged.request, subject) &&
        one.endedBefore > (last?.step ?? 0) &&
        isFirst(one, log),
    )
    if (last === undefined || last.body.index === body.index || changed) return undefined
    return `response ${body.index} is returned after the newer response ${last.body.index}`
  }
  const usable = before.find((one) => isFirst(one, log) && isUsable(one, logged, log, subject))
  return usable === undefined
    ? undefined
    : `the upstream got a request although response ${usable.body.index} was still fresh`
}

function isFirst(logged: LoggedRequest, { requests: all }: CacheLog): boolean {
  return all.find((one) => one.body.index === logged.body.index) === logged
}

function isUsable(
  earlier: LoggedRequest,
  now: LoggedRequest,
  { invalidations }: CacheLog,
  { minLifetimeMs }: CacheSubject,
): boolean {
  // The age of a response counts from the time of its request (RFC 9111 section 4.2.3).
  if (now.startedAt >= earlier.startedAt + minLifetimeMs) return false
  return !invalidations.some(({ api, step }) => api === now.request.api && step > earlier.step && step < now.step)
}

/** Returns true if two requests have the same cache key. */
function hasSameCacheKey(one: CacheRequest, other: CacheRequest, { isPerKey }: CacheSubject): boolean {
  if (one.api !== other.api || one.path !== other.path || one.lang !== other.lang) return false
  return !isPerKey || one.key === other.key
}

/** Generates slow requests, pauses and concurrent invalidations for property 19. */
import fc from 'fast-check'

/** One id is a prefix of the other, to detect invalidation by prefix. */
export const cacheApis = ['c', 'c1'] as const
export const cacheKeys = ['org1ann-1', 'org1bob-2'] as const

export interface CacheRequest {
  readonly kind: 'request'
  readonly api: (typeof cacheApis)[number]
  readonly key: (typeof cacheKeys)[number]
  readonly path: '/x' | '/x?a=1' | '/y'
  /** Value of the header that `cache_by_headers` or `Vary` names. */
  readonly lang: 'de' | 'en'
  /** Milliseconds that the upstream needs for the head and for the body. */
  readonly headMs: number
  readonly bodyMs: number
}

export type CacheStep =
  /** Sends a request. The next step does not wait for the response. */
  | CacheRequest
  /** Invalidates the cache of an API and waits for the acknowledgement. */
  | { readonly kind: 'invalidate'; readonly api: (typeof cacheApis)[number] }
  | { readonly kind: 'wait'; readonly ms: number }

export interface CacheCase {
  readonly steps: readonly CacheStep[]
}

const api = fc.constantFrom(...cacheApis)
const delay = fc.constantFrom(0, 0, 0, 0, 300, 700)
const step: fc.Arbitrary<CacheStep> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('request' as const),
      api,
      key: fc.constantFrom(...cacheKeys),
      path: fc.constantFrom('/x' as const, '/x' as const, '/x?a=1' as const, '/y' as const),
      lang: fc.constantFrom('de' as const, 'de' as const, 'en' as const),
      headMs: delay,
      bodyMs: delay,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('invalidate' as const), api }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1, 400, 999, 1500, 4000, 6000) }),
  },
)

export const cacheCases: fc.Arbitrary<CacheCase> = fc.record({ steps: fc.array(step, { minLength: 2, maxLength: 25 }) })

/** Formats a case for a report. */
export function showCacheCase({ steps }: CacheCase): string {
  return steps.map((each, i) => `  ${i}: ${showStep(each)}`).join('\n')
}

function showStep(each: CacheStep): string {
  if (each.kind === 'wait') return `${each.ms} ms pass`
  if (each.kind === 'invalidate') return `the cache of ${each.api} is invalidated`
  const slow =
    each.headMs + each.bodyMs > 0 ? `, response head after ${each.headMs} ms and body after ${each.bodyMs} ms more` : ''
  return `${each.key} requests ${each.api}${each.path} in ${each.lang}${slow}`
}

/** What happens to a cache: requests that take their time, time that passes, and caches that are emptied meanwhile. */
import fc from 'fast-check'

/** One id begins with the other, since invalidation by prefix is an old fault. */
export const cacheApis = ['c', 'c1'] as const
export const cacheKeys = ['org1ann-1', 'org1bob-2'] as const

export interface CacheAsk {
  readonly kind: 'ask'
  readonly api: (typeof cacheApis)[number]
  readonly key: (typeof cacheKeys)[number]
  readonly path: '/x' | '/x?a=1' | '/y'
  /** Header that `cache_by_headers`, or `Vary`, names. */
  readonly lang: 'de' | 'en'
  /** Time that the upstream takes for head and body, if it is asked. */
  readonly headMs: number
  readonly bodyMs: number
}

export type CacheStep =
  /** Begins a request; the next step does not wait for it. */
  | CacheAsk
  /** Empties the cache of an API and waits until that is acknowledged. */
  | { readonly kind: 'empty'; readonly api: (typeof cacheApis)[number] }
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
      kind: fc.constant('ask' as const),
      api,
      key: fc.constantFrom(...cacheKeys),
      path: fc.constantFrom('/x' as const, '/x' as const, '/x?a=1' as const, '/y' as const),
      lang: fc.constantFrom('de' as const, 'de' as const, 'en' as const),
      headMs: delay,
      bodyMs: delay,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('empty' as const), api }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1, 400, 999, 1500, 4000, 6000) }),
  },
)

/** Draws cases. */
export const cacheCases: fc.Arbitrary<CacheCase> = fc.record({ steps: fc.array(step, { minLength: 2, maxLength: 25 }) })

/** A case for people. */
export function showCacheCase({ steps }: CacheCase): string {
  return steps.map((each, i) => `  ${i}: ${showStep(each)}`).join('\n')
}

function showStep(each: CacheStep): string {
  if (each.kind === 'wait') return `${each.ms} ms pass`
  if (each.kind === 'empty') return `the cache of ${each.api} is emptied`
  const slow = each.headMs + each.bodyMs > 0 ? `, answered after ${each.headMs} ms and ${each.bodyMs} ms more` : ''
  return `${each.key} asks ${each.api}${each.path} in ${each.lang}${slow}`
}

/** Rates that a key has on single endpoints of an API. Source: spec/sessions-and-limits.md 6.5. */
import type { Re2 } from '../../lib/regex/re2.ts'
import type { EndpointRate } from '../../ports/session.ts'
import type { GrantTemplate, NamedRate } from './grant-template.ts'
import type { PathPatterns } from './path-patterns.ts'

/** Makes the rate of an endpoint; `undefined` where the values are no limit. */
export type RateOfEndpoint = (limit: { rate: number; per: number }, endpoint: string) => NamedRate | undefined

interface CompiledEndpoint {
  readonly pattern: Re2
  readonly byMethod: ReadonlyMap<string, NamedRate>
}

/** `undefined`: the key has no endpoint rates. The first endpoint that fits path and method counts. */
export function makeEndpointRate(
  endpoints: readonly EndpointRate[] | null,
  patterns: PathPatterns,
  rateOf: RateOfEndpoint,
): GrantTemplate['endpointRate'] {
  const compiled: CompiledEndpoint[] = []
  for (const endpoint of endpoints ?? []) {
    const pattern = patterns.compile(endpoint.path)
    const byMethod = ratesByMethod(endpoint, rateOf)
    if (pattern !== undefined && byMethod.size > 0) compiled.push({ pattern, byMethod })
  }
  if (compiled.length === 0) return undefined
  return (method, path) => {
    const upper = method.toUpperCase()
    for (const { pattern, byMethod } of compiled) {
      const rate = byMethod.get(upper)
      if (rate !== undefined && pattern.test(path)) return rate
    }
    return undefined
  }
}

function ratesByMethod(endpoint: EndpointRate, rateOf: RateOfEndpoint): Map<string, NamedRate> {
  const byMethod = new Map<string, NamedRate>()
  for (const { name, limit } of endpoint.methods ?? []) {
    const rate = rateOf(limit, `${name}:${endpoint.path}`)
    const upper = name.toUpperCase()
    if (rate !== undefined && !byMethod.has(upper)) byMethod.set(upper, rate)
  }
  return byMethod
}

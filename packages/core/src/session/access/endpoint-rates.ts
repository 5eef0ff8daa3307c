/** Rates of a key on single endpoints of an API. Source: docs/reference/rate-limits.md#endpoint-rates. */
import type { Re2 } from '../../lib/regex/re2.ts'
import type { RateLimit } from '../../ports/rate-limit.ts'
import type { EndpointRate } from '../../ports/session.ts'
import type { PathPatterns } from './path-patterns.ts'

/** The rate of one endpoint, MCP method or MCP primitive. */
export interface EndpointLimit {
  /** Value of `endpoint` in the counter. */
  readonly endpoint: string
  /** `undefined`: the endpoint has no limit, which is a rate of 0 or less. */
  readonly limit: RateLimit | undefined
  /** The path of the endpoint is not a valid pattern, so any request may be one that it limits. */
  readonly isBroken?: true
}

export type FindEndpointLimit = (method: string, path: string) => EndpointLimit | undefined

/** Makes the rate of an endpoint. */
export type RateOfEndpoint = (limit: { rate: number; per: number }, endpoint: string) => EndpointLimit

interface CompiledEndpoint {
  /** `undefined`: the path is not a valid pattern. */
  readonly pattern: Re2 | undefined
  readonly byMethod: ReadonlyMap<string, EndpointLimit>
}

/** Compiles the endpoint rates. The first one that matches applies. Returns `undefined` if there are none. */
export function makeEndpointRate(
  endpoints: readonly EndpointRate[] | null,
  patterns: PathPatterns,
  rateOf: RateOfEndpoint,
): FindEndpointLimit | undefined {
  const compiled: CompiledEndpoint[] = []
  for (const endpoint of endpoints ?? []) {
    const pattern = patterns.compile(endpoint.path)
    const byMethod = ratesByMethod(endpoint, rateOf)
    if (byMethod.size > 0) compiled.push({ pattern, byMethod })
  }
  if (compiled.length === 0) return undefined
  const find: FindEndpointLimit = (method, path) => {
    for (const { pattern, byMethod } of compiled) {
      const rate = byMethod.get(method)
      if (rate === undefined) continue
      if (pattern?.test(path)) return rate
      // Without its rate a request to the endpoint would have the higher rate of the key.
      if (pattern === undefined && rate.limit !== undefined) return { ...rate, isBroken: true }
    }
    return undefined
  }
  return (method, path) => {
    const upper = method.toUpperCase()
    return find(upper, path) ?? (upper === 'HEAD' && patterns.coversHead ? find('GET', path) : undefined)
  }
}

function ratesByMethod(endpoint: EndpointRate, rateOf: RateOfEndpoint): Map<string, EndpointLimit> {
  const byMethod = new Map<string, EndpointLimit>()
  for (const { name, limit } of endpoint.methods ?? []) {
    const upper = name.toUpperCase()
    if (!byMethod.has(upper)) byMethod.set(upper, rateOf(limit, `${name}:${endpoint.path}`))
  }
  return byMethod
}

/** CORS of the gateways of this folder: any origin, the methods of the API. */
import type { Fault } from './seeded-bugs.ts'

/** Response headers of a request from another origin. Empty for a method that the API rejects, unless the fault adds them. */
export function corsHeaders(
  { origin, method }: { readonly origin: string | undefined; readonly method: string },
  methods: readonly string[],
  fault: Fault['cors'],
): Record<string, string> {
  if (origin === undefined) return {}
  const isAllowed = methods.includes(method.toUpperCase()) || fault === 'any-method'
  return isAllowed ? { 'Access-Control-Allow-Origin': origin, Vary: 'Origin' } : {}
}

/** Headers of the response to a preflight request for a method. */
export function preflightHeaders(
  { origin, method }: { readonly origin: string | undefined; readonly method: string },
  methods: readonly string[],
  fault: Fault['cors'],
): Record<string, string> {
  const headers = corsHeaders({ origin, method }, methods, fault)
  if (Object.keys(headers).length === 0) return {}
  const shown = fault === 'any-method' ? [...new Set([...methods, method.toUpperCase()])] : methods
  return { ...headers, 'Access-Control-Allow-Methods': shown.join(', '), 'Access-Control-Allow-Headers': '*' }
}

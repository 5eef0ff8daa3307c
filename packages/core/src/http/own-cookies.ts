/**
 * Cookies of the gateway itself, such as those of the dashboard. Browsers send them to every port of a host, so neither APIs
 * nor what definitions contain may read or set them. Source: docs/dashboard.md#cookies-and-upstreams.
 */
import type { HeaderPairs } from './headers.ts'

/** Removes cookies by name from a `Cookie` header (RFC 6265 section 4.2). */
export function withoutCookies(value: string, names: readonly string[]): string {
  if (!names.some((name) => value.includes(name))) return value
  const kept = value.split(';').filter((pair) => !names.includes(nameOf(pair)))
  return kept.join(';').trim()
}

/** Removes cookies by name from the headers of a request. */
export function dropCookies(headers: HeaderPairs, names: readonly string[]): void {
  for (let i = headers.length - 2; i >= 0; i -= 2) {
    if (headers[i] !== 'cookie') continue
    const value = withoutCookies(headers[i + 1] as string, names)
    if (value === '') headers.splice(i, 2)
    else headers[i + 1] = value
  }
}

/** Removes the `Set-Cookie` headers of a response that would set these cookies. */
export function dropSetCookies(headers: HeaderPairs, names: readonly string[]): void {
  for (let i = headers.length - 2; i >= 0; i -= 2) {
    if ((headers[i] as string).toLowerCase() === 'set-cookie' && names.includes(nameOf(headers[i + 1] as string)))
      headers.splice(i, 2)
  }
}

function nameOf(pair: string): string {
  return pair.split('=', 1)[0]?.trim() ?? ''
}

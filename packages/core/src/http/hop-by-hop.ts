/**
 * Hop-by-hop headers, which a proxy must not forward (RFC 9110 section 7.6.1). The switch on the length leaves one string
 * comparison for most headers.
 */
import type { HeaderPairs } from './headers.ts'

export function isHopByHop(name: string): boolean {
  switch (name.length) {
    case 2:
      return name === 'te'
    case 7:
      return name === 'trailer' || name === 'upgrade'
    case 10:
      return name === 'connection' || name === 'keep-alive'
    case 16:
      return name === 'proxy-connection'
    case 17:
      return name === 'transfer-encoding'
    case 18:
      return name === 'proxy-authenticate'
    case 19:
      return name === 'proxy-authorization'
    default:
      return false
  }
}

/** Returns the names that `Connection` lists besides the standard ones; `undefined` if there are none. */
export function namedInConnection(headers: HeaderPairs): ReadonlySet<string> | undefined {
  let names: Set<string> | undefined
  for (let i = 0; i < headers.length; i += 2) {
    if (headers[i] !== 'connection') continue
    const value = (headers[i + 1] as string).toLowerCase()
    if (value === 'keep-alive' || value === 'close') continue
    for (const part of value.split(',')) {
      const name = part.trim()
      if (name === '' || name === 'close' || name === 'keep-alive') continue
      names ??= new Set()
      names.add(name)
    }
  }
  return names
}

/**
 * Returns a copy of the headers of a client without those that its `Connection` lists. The copy has no `Connection`
 * then: headers that the gateway adds later must stay, even if the client listed them.
 */
export function withoutNamedInConnection(headers: HeaderPairs): HeaderPairs {
  const named = namedInConnection(headers)
  if (named === undefined) return headers.slice()
  const kept: HeaderPairs = []
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] as string
    if (name !== 'connection' && (!named.has(name) || isEndToEnd(name))) kept.push(name, headers[i + 1] as string)
  }
  return kept
}

/** Headers that a recipient needs and that `Connection` must not list (RFC 9110 section 7.6.1). */
function isEndToEnd(name: string): boolean {
  return name === 'host' || name === 'content-length' || name === 'content-type' || name === 'x-forwarded-for'
}

/**
 * The text that the gateway signs for an upstream, and the header value with the signature. Source:
 * docs/reference/request-signing.md#signing-text.
 */
import { type HeaderPairs, headerOf } from '../../http/headers.ts'
import { auxDateHeader } from './signing-string.ts'

const requestTarget = '(request-target)'

/** A request as far as it is signed. */
export interface SignedRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: HeaderPairs
}

export interface SigningPlan {
  /** Names as the definition writes them; empty: all headers. */
  readonly listed: readonly string[]
  /** Returns false for headers that the upstream gets with another value, or not at all. */
  readonly isSignable: (name: string) => boolean
}

/** Names to sign. If they include a date that the request lacks, the caller adds the header `Date`. */
export function namesToSign({ headers }: SignedRequest, { listed, isSignable }: SigningPlan): readonly string[] {
  if (listed.length > 0) {
    const found = listed.filter(
      (name) => name.toLowerCase() !== 'host' && headerOf(headers, name.toLowerCase()) !== undefined,
    )
    return found.length > 0 ? found : [requestTarget, 'date']
  }
  const names = new Set([requestTarget])
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] as string
    if (name !== 'host' && isSignable(name)) names.add(name)
  }
  return [...names.add('date')]
}

/** The text to sign: one line per name. */
export function textToSign({ method, target, headers }: SignedRequest, names: readonly string[]): string {
  return names.map(lineOf).join('\n')

  function lineOf(written: string): string {
    const name = written.toLowerCase()
    if (name === requestTarget) return `${requestTarget}: ${method.toLowerCase()} ${target}`
    const auxDate = name === 'date' ? headerOf(headers, auxDateHeader) : undefined
    if (auxDate !== undefined && auxDate !== '') return `${auxDateHeader}: ${auxDate.trim()}`
    return `${name}: ${(headerOf(headers, name) ?? '').trim()}`
  }
}

export function signatureHeader(keyId: string, algorithm: string, names: readonly string[], signature: string): string {
  return `Signature keyId="${keyId}",algorithm="${algorithm}",headers="${names.join(' ')}",signature="${signature}"`
}

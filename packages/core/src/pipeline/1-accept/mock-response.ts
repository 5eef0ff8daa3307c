/**
 * Fixed answers written in a definition: `mock_response`, and the older `method_actions` of the path lists.
 * The path lists give them; nothing behind that stage sees such a request. Source: spec/apis-and-pipeline.md 2.3, 4.2.
 */

import type { HeaderPairs } from '../../http/headers.ts'
import type { GatewayResponse } from '../../http/messages.ts'

export interface MockDocument {
  readonly code: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>> | null
}

/** Prepares a mock once; each call gives an answer of its own, which later code may change. */
export function makeMockResponse({ code, body, headers }: MockDocument): () => GatewayResponse {
  const pairs: HeaderPairs = []
  for (const [name, value] of Object.entries(headers ?? {})) pairs.push(name.toLowerCase(), value)
  // Without a type of its own, a text is announced as what it is; clients would have to guess otherwise.
  if (body !== '' && !pairs.some((entry, i) => i % 2 === 0 && entry === 'content-type')) {
    pairs.push('content-type', 'text/plain; charset=utf-8')
  }
  const status = isStatus(code) ? code : 200
  return () => ({ status, headers: pairs.slice(), body })
}

/** Informational codes do not end an exchange, so they cannot be an answer. */
function isStatus(code: number): boolean {
  return Number.isInteger(code) && code >= 200 && code <= 999
}

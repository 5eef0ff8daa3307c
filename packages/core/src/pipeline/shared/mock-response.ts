/**
 * Fixed responses of a definition: `mock_response`, and the older `method_actions` of path lists. The stage path-lists
 * sends them, so later stages do not run (docs/reference/request-pipeline.md#path-lists).
 */

import { isFinalStatus } from '../../http/final-status.ts'
import type { HeaderPairs } from '../../http/headers.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import { fieldValueOf } from '../../lib/text/field-values.ts'

export interface MockDocument {
  readonly code: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>> | null
}

/** Prepares a mock once. Each call returns a new response, which later code may change. */
export function makeMockResponse({ code, body, headers }: MockDocument): () => GatewayResponse {
  const pairs: HeaderPairs = []
  for (const [name, value] of Object.entries(headers ?? {})) pairs.push(name.toLowerCase(), fieldValueOf(value))
  // Without a content type, clients would have to guess.
  if (body !== '' && !pairs.some((entry, i) => i % 2 === 0 && entry === 'content-type')) {
    pairs.push('content-type', `text/${textKindOf(body)}; charset=utf-8`)
  }
  const status = isFinalStatus(code) ? code : 200
  return () => ({ status, headers: pairs.slice(), body })
}

/** The beginnings of HTML that browsers recognize (WHATWG MIME Sniffing, 7.1), in upper case. */
const htmlStarts = [
  ...['<!DOCTYPE HTML', '<HTML', '<HEAD', '<SCRIPT', '<IFRAME', '<H1', '<DIV', '<FONT', '<TABLE', '<A', '<STYLE'],
  ...['<TITLE', '<B', '<BODY', '<BR', '<P'],
]

function textKindOf(body: string): 'html' | 'xml' | 'plain' {
  const start = body.slice(0, 1024).trimStart()
  const upper = start.toUpperCase()
  if (start.startsWith('<!--')) return 'html'
  if (htmlStarts.some((tag) => upper.startsWith(tag) && /^[ >]/.test(upper.slice(tag.length)))) return 'html'
  return start.startsWith('<?xml') ? 'xml' : 'plain'
}

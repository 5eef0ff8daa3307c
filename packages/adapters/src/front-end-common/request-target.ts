/** Parses the request target (RFC 9112 section 3.2) and validates the method. */
import { isToken } from '@turnpike/core/http'
import { hasBrokenEscape } from '@turnpike/core/lib'
import { type ErrorResponse, errorResponses } from './error-responses.ts'
import { isHost } from './framing.ts'

// Printable ASCII without space and `#`, because a request target has no fragment.
const targetCharacters = /^[\x21\x22\x24-\x7e]*$/

/**
 * Percent-encodes bytes above 0x7f, which clients such as curl send as typed. `target`: one character per byte, as Node
 * reads it.
 */
function escapeRawBytes(target: string): string {
  return target.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** The same for a text that was decoded as UTF-8. A replacement character stands for unknown bytes and stays. */
export function escapeRawText(text: string): string {
  if (isValidTargetText(text)) return text
  return text.toWellFormed().replace(/[\u{80}-\u{fffc}\u{fffe}-\u{10ffff}]+/gu, encodeURIComponent)
}

/** Returns true if a path or query contains only characters that may be forwarded unchanged. */
export function isValidTargetText(text: string): boolean {
  return targetCharacters.test(text)
}

/** Returns true if the method is a token (RFC 9110 section 9.1). Common methods skip the regular expression. */
export function isMethod(method: string): boolean {
  switch (method) {
    case 'GET':
    case 'POST':
    case 'HEAD':
    case 'PUT':
    case 'DELETE':
    case 'PATCH':
    case 'OPTIONS':
      return true
    default:
      return isToken(method)
  }
}

export interface RequestTarget {
  readonly path: string
  readonly query: string
  /** The target ends in a question mark. */
  readonly hasEmptyQuery?: boolean | undefined
  /** The host of a target in absolute form. It replaces the Host header (RFC 9112 section 3.2.2). */
  readonly host: string | undefined
}

/**
 * Parses a target in origin or absolute form. All other forms, `*` included, are rejected. `received`: one character per
 * byte; those above 0x7f are percent-encoded.
 */
export function parseRequestTarget(received: string): RequestTarget | ErrorResponse {
  const isPlain = targetCharacters.test(received)
  const target = isPlain ? received : escapeRawBytes(received)
  if (!isPlain && !targetCharacters.test(target)) return errorResponses.badTarget
  if (target.startsWith('/')) return split(target, undefined)
  const absolute = /^https?:\/\/([^/?]+)(.*)$/i.exec(target)
  if (absolute === null) return errorResponses.badTarget
  const [, host, rest] = absolute as unknown as [string, string, string]
  if (!isHost(host) || (!isPlain && host.includes('%'))) return errorResponses.badTarget
  return split(rest.startsWith('/') ? rest : `/${rest}`, host)
}

function split(target: string, host: string | undefined): RequestTarget | ErrorResponse {
  const queryAt = target.indexOf('?')
  const path = queryAt < 0 ? target : target.slice(0, queryAt)
  if (hasBrokenEscape(path)) return errorResponses.badEscape
  const query = queryAt < 0 ? '' : target.slice(queryAt + 1)
  return { path, query, hasEmptyQuery: queryAt >= 0 && query === '' ? true : undefined, host }
}

/** Returns the target, or that of `/` for a request that is rejected because of its target. */
export function validTarget(target: RequestTarget | ErrorResponse): RequestTarget {
  return 'status' in target ? { path: '/', query: '', host: undefined } : target
}

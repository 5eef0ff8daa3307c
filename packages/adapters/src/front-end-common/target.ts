/** Reads the target of a request line (RFC 9112, 3.2). */
import { type Refusal, refusals } from './refusal.ts'

// No space, control character, byte outside of ASCII, or `#`: a fragment never belongs into a request.
const plainTarget = /^[\x21\x22\x24-\x7e]*$/
const token = /^[\w!#$%&'*+\-.^`|~]+$/

/** Whether a path or query may be passed on byte for byte. */
export function isPlainTarget(text: string): boolean {
  return plainTarget.test(text)
}

/** Whether a method is a token (RFC 9110, 9.1); the common ones are known without looking at their letters. */
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
      return token.test(method)
  }
}

export interface Target {
  readonly path: string
  readonly query: string
  /** Host named by a target in absolute form; it wins over the Host header (RFC 9112, 3.2.2). */
  readonly host: string | undefined
}

/** Splits a target in origin or absolute form. `*` and everything else is refused: a gateway has no such resource. */
export function readTarget(target: string): Target | Refusal {
  if (!plainTarget.test(target)) return refusals.badTarget
  if (target.startsWith('/')) return split(target, undefined)
  const absolute = /^https?:\/\/([^/?]+)(.*)$/i.exec(target)
  if (absolute === null) return refusals.badTarget
  const [, host, rest] = absolute as unknown as [string, string, string]
  if (host.includes('@')) return refusals.badTarget
  return split(rest.startsWith('/') ? rest : `/${rest}`, host)
}

function split(target: string, host: string | undefined): Target {
  const mark = target.indexOf('?')
  if (mark < 0) return { path: target, query: '', host }
  return { path: target.slice(0, mark), query: target.slice(mark + 1), host }
}

/** Maps errors of Node and undici to the reasons of `UpstreamError`. */
import type { UpstreamError } from '@turnpike/core'

type Reason = UpstreamError['reason']

const reasons: Readonly<Record<string, Reason>> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  EADDRNOTAVAIL: 'refused',
  ENOENT: 'refused',
  ENOTFOUND: 'unknown-host',
  EAI_AGAIN: 'unknown-host',
  EAI_NODATA: 'unknown-host',
  EAI_NONAME: 'unknown-host',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
}

/** Maps an error to a result. The reason of unknown errors is `broken`. */
export function upstreamErrorOf(error: unknown): UpstreamError {
  return { kind: 'error', reason: reasons[codeOf(error)] ?? 'broken', cause: error }
}

/** The result of a call that exceeded its timeout. */
export function timeoutError(timeoutMs: number): UpstreamError {
  return { kind: 'error', reason: 'timeout', cause: new UpstreamTimeout(timeoutMs) }
}

/** The result of a call that was cancelled by its caller or the client. */
export function cancelledError(cause: unknown): UpstreamError {
  return { kind: 'error', reason: 'cancelled', cause }
}

/** The upstream sent nothing for the duration of the timeout. */
export class UpstreamTimeout extends Error {
  constructor(timeoutMs: number) {
    super(`the upstream sent nothing for ${timeoutMs} ms`)
  }
}

/** Returns true if the error is a closed connection, not a problem of the request. */
export function isConnectionLoss(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE'
}

/** Returns true if undici rejected the request before sending a byte. */
export function isUnsendable(error: unknown): boolean {
  return codeOf(error) === 'UND_ERR_INVALID_ARG'
}

// Node reports failed attempts with several addresses as one AggregateError. The first error decides.
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const { code, errors } = error as { code?: unknown; errors?: unknown }
  if (typeof code === 'string') return code
  return Array.isArray(errors) && errors.length > 0 ? codeOf(errors[0]) : ''
}
